-- ok
-- DISTINCT over a window, then ORDER BY
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT DISTINCT seg_id FROM traffic [TUMBLE 5 MINUTES] ORDER BY seg_id;
