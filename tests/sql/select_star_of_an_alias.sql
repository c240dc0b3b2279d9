-- ok
-- t.* behind a window with an alias
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT t.* FROM traffic [TUMBLE 5 MINUTES] AS t WHERE t.speed > 80;
