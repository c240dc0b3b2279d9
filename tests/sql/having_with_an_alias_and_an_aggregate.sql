-- ok
-- HAVING over a window, by alias and by aggregate
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, avg(speed) AS mean FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id HAVING mean > 80 AND count(*) >= 10;
