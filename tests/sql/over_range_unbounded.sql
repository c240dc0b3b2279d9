-- ok
-- RANGE UNBOUNDED PRECEDING includes later peers
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, min(speed) OVER (PARTITION BY seg_id ORDER BY ts RANGE UNBOUNDED PRECEDING) AS lo FROM traffic;
