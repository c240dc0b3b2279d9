-- ok
-- the first rows of each window
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, speed FROM traffic [TUMBLE 5 MINUTES] ORDER BY speed LIMIT 5;
