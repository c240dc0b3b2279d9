-- ok
-- HOURS, DAYS and WEEKS
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic [RANGE 12 HOURS SLIDE 1 HOUR];
SELECT max(speed) FROM traffic [RANGE 2 WEEKS SLIDE 1 DAY];
