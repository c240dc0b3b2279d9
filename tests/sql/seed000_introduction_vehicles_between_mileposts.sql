-- ok
-- the introduction: vehicles between two mileposts over the past 10 minutes, every minute
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) AS vehicles, window_end
FROM traffic [RANGE 10 MINUTES SLIDE 1 MINUTE WATTR ts]
WHERE milepost BETWEEN 50 AND 60;
