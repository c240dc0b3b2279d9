-- UnknownColumn
-- in ORDER BY
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, speed FROM traffic [TUMBLE 5 MINUTES] ORDER BY velocity;
