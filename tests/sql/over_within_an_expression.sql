-- ok
-- a frame is a scalar like any other
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, speed - avg(speed) OVER (PARTITION BY seg_id ROWS 9 PRECEDING) AS deviation FROM traffic;
