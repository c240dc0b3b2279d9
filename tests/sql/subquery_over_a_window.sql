-- ok
-- a subquery over a window is a relation too: the extent's
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, hi FROM (SELECT seg_id, max(speed) AS hi FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id) q WHERE hi > 80;
