-- ok
-- a frame without bound that keeps every tuple, as is asked for
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(DISTINCT vehicle) OVER (PARTITION BY seg_id ROWS UNBOUNDED PRECEDING UNBOUNDED STATE) AS n FROM traffic;
