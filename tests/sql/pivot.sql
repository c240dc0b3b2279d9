-- NotSupported
-- PIVOT is not silently dropped
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT * FROM traffic PIVOT (sum(speed) FOR seg_id IN ('s1', 's2'));
