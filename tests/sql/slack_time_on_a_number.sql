-- WrongUnit
-- a SLACK in time on a numeric window
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [TUMBLE 10 WATTR milepost SLACK 10 SECONDS];
