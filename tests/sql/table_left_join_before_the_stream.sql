-- NotSupported
-- rows of the table without a match are known at the end of the stream alone
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (id STRING, miles DOUBLE);
SELECT * FROM segment LEFT JOIN traffic ON seg_id = id;
