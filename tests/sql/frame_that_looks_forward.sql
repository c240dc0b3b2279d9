-- BadFrame
-- ROWS n FOLLOWING
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ORDER BY ts ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING) FROM traffic;
