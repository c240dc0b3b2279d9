-- ok
-- windowed join of two streams
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT sensor, temperature, speed FROM reading [RANGE 1 HOUR SLIDE 1 MINUTE] JOIN traffic [RANGE 100 ROWS] ON reading.sensor = traffic.seg_id TIMESTAMP MIN;
