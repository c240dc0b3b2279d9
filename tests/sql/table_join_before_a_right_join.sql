-- NotSupported
-- the table would be joined behind the streams, where rows of the second are kept that have no match in it
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (id STRING, miles DOUBLE);
SELECT p.vehicle, miles FROM traffic [NOW] AS p JOIN segment ON p.seg_id = id RIGHT JOIN traffic [NOW] AS q ON p.vehicle = q.vehicle;
