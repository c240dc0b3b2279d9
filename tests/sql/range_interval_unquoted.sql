-- ok
-- INTERVAL 5 MINUTES
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic [RANGE INTERVAL 5 MINUTES SLIDE INTERVAL 1 MINUTE];
