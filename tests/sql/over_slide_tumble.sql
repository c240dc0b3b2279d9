-- ok
-- a slide above the range
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ROWS BETWEEN 9 PRECEDING AND CURRENT ROW SLIDE 28 ROWS) AS mean FROM traffic;
