-- ok
-- section 5.2: an hour every minute, 60 active extents
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, avg(speed) FROM traffic [RANGE 60 MINUTES SLIDE 1 MINUTE WATTR ts] GROUP BY seg_id;
