-- ok
-- a frame in time at every fifth tuple of the partition
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, avg(speed) OVER (PARTITION BY seg_id RANGE 8 SECONDS PRECEDING SLIDE 5 ROWS) AS mean FROM traffic;
