-- ok
-- GROUP BY a Spark expression
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT floor(milepost / 10) AS decade, avg(speed) AS mean FROM traffic [TUMBLE 5 MINUTES] GROUP BY floor(milepost / 10);
