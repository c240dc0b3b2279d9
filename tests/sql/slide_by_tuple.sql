-- ok
-- every tuple opens a window
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*), window_end FROM traffic [RANGE 300 SECONDS RATTR ts SLIDE 1 ROW];
