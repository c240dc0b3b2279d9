-- ok
-- plain numbers, one with a fraction
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) FROM traffic [RANGE 2.5 SLIDE 0.5 WATTR milepost];
