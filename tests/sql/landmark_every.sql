-- ok
-- LANDMARK EVERY restarts
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, sum(speed) FROM traffic [LANDMARK EVERY 1 DAY SLIDE 1 HOUR WATTR ts] GROUP BY seg_id;
