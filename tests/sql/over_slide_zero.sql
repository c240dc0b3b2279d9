-- NotPositive
-- a frame that does not slide
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ROWS 9 PRECEDING SLIDE 0 ROWS) FROM traffic;
