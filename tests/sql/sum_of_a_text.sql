-- NotSupported
-- a sum takes numbers, which is known from the declared types
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT sum(vehicle) AS n FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id;
