-- ok
-- aliases for both sides
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (seg_id STRING, miles DOUBLE);
SELECT t.seg_id, t.speed, g.miles FROM traffic AS t JOIN segment AS g ON t.seg_id = g.seg_id;
