-- ok
-- SLACK in the bracket
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic [RANGE 300 SECONDS SLIDE 30 SECONDS WATTR ts SLACK 10 SECONDS];
