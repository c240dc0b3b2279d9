-- ok
-- 5 MINUTES 30 SECONDS
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic [RANGE 5 MINUTES 30 SECONDS SLIDE 1 MINUTE 30 SECONDS];
