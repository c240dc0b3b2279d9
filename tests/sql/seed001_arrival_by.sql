-- ok
-- seed 001, section 5: arrival times beside event times
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, received TIMESTAMP, ts TIMESTAMP)
  ORDER BY ts ARRIVAL BY received SOURCE FILE 'data/traffic';
SELECT count(*) FROM traffic [RANGE 5 MINUTES SLIDE 30 SECONDS DRATIO 0.5% NORMAL BFSIZE 1000];
