-- ok
-- a set operation between windows
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id FROM traffic [TUMBLE 5 MINUTES] UNION SELECT seg_id FROM traffic [TUMBLE 1 HOUR];
