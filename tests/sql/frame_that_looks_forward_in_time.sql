-- BadFrame
-- RANGE ... FOLLOWING
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ORDER BY ts RANGE BETWEEN 1 MINUTE PRECEDING AND 1 MINUTE FOLLOWING) FROM traffic;
