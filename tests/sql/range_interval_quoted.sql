-- ok
-- INTERVAL '5' MINUTE
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic [RANGE INTERVAL '5' MINUTE SLIDE INTERVAL '1' MINUTE];
