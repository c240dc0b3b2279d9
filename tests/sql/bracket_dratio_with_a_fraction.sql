-- ok
-- DRATIO with a fraction of a percent
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic [RANGE 300 SECONDS SLIDE 30 SECONDS WATTR ts DRATIO 0.5% BFSIZE 100000];
