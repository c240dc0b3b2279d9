-- ok
-- a landmark window: each extent starts at the beginning of the stream
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [LANDMARK SLIDE 1 HOUR WATTR ts];
