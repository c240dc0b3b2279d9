-- NotOrdered
-- a RANGE frame in the order of a string
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ORDER BY seg_id RANGE 10 PRECEDING) FROM traffic;
