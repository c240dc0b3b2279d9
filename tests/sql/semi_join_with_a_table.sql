-- ok
-- each row of the stream that has a match in the table, once
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (id STRING, miles DOUBLE);
SELECT vehicle FROM traffic LEFT SEMI JOIN segment ON seg_id = id;
