-- ok
-- RANGE BETWEEN ... AND CURRENT ROW
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ORDER BY ts RANGE BETWEEN 5 MINUTES PRECEDING AND CURRENT ROW) AS mean FROM traffic;
