-- ok
-- a subquery over a stream
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, kmh FROM (SELECT seg_id, speed * 1.609 AS kmh FROM traffic) q WHERE kmh > 100;
