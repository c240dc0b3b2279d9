-- ok
-- SLIDE in time; slots start at the epoch
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, avg(speed) OVER (PARTITION BY seg_id RANGE 5 MINUTES PRECEDING SLIDE 1 MINUTE) AS mean FROM traffic;
