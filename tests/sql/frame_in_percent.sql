-- BadFrame
-- a frame is not a share of anything
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (RANGE 10% PRECEDING) FROM traffic;
