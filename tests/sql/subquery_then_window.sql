-- ok
-- a window behind a subquery
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, max(kmh) FROM (SELECT seg_id, speed * 1.609 AS kmh, ts FROM traffic) q [TUMBLE 5 MINUTES] GROUP BY seg_id;
