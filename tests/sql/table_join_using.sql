-- ok
-- a join with USING, as in Spark
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (seg_id STRING, miles DOUBLE);
SELECT seg_id, speed, miles FROM traffic JOIN segment USING (seg_id);
