-- ok
-- Q1: min and max speed of each segment over the past 5 minutes, every minute
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, max(speed), min(speed)
FROM traffic [RANGE 300 SECONDS
              SLIDE 60 SECONDS
              WATTR ts]
GROUP BY seg_id;
