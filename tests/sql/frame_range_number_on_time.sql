-- WrongUnit
-- a RANGE frame as a plain number in the order of a timestamp
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ORDER BY ts RANGE 300 PRECEDING) FROM traffic;
