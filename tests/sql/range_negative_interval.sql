-- NotPositive
-- a negative INTERVAL, its sign inside the quotes
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE INTERVAL '-5' MINUTE SLIDE 1 MINUTE];
