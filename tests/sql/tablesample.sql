-- NotSupported
-- TABLESAMPLE is not silently dropped
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT * FROM traffic TABLESAMPLE (10 PERCENT);
