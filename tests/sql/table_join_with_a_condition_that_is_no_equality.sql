-- ok
-- theta conditions
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE speed_limit (from_mile DOUBLE, to_mile DOUBLE, mph DOUBLE);
SELECT vehicle, speed, mph FROM traffic JOIN speed_limit ON milepost >= from_mile AND milepost < to_mile AND speed > mph;
