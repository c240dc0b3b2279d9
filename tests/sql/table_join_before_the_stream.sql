-- ok
-- the same as the table beside the stream
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (id STRING, miles DOUBLE);
SELECT * FROM segment AS s JOIN traffic AS t ON t.seg_id = s.id;
