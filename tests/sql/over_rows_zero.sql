-- ok
-- 0 PRECEDING is the tuple itself
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) OVER (ROWS 0 PRECEDING) AS own FROM traffic;
