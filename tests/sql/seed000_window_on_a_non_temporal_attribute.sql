-- ok
-- section 3.2: any totally ordered attribute can be windowed on
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed), window_start FROM traffic [RANGE 50 SLIDE 10 WATTR milepost];
