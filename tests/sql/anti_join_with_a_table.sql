-- ok
-- rows of the stream that have no match in the table
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (id STRING, miles DOUBLE);
SELECT vehicle FROM traffic LEFT ANTI JOIN segment ON seg_id = id;
