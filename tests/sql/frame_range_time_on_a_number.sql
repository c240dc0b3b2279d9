-- WrongUnit
-- a RANGE frame in time in the order of a number
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ORDER BY milepost RANGE 5 MINUTES PRECEDING) FROM traffic;
