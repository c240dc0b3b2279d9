-- BadFrame
-- EXCLUDE is not silently dropped
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ROWS 9 PRECEDING EXCLUDE CURRENT ROW) FROM traffic;
