-- ok
-- a stream joined with a table
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (id STRING, miles DOUBLE);
SELECT traffic.seg_id, speed, segment.miles FROM traffic JOIN segment ON traffic.seg_id = segment.id;
