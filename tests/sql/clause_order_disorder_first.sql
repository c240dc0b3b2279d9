-- ok
-- disorder clauses may come first
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic [BFSIZE 100000 DRATIO 1% LATE CONSISTENT SLIDE 30 SECONDS WATTR ts RANGE 300 SECONDS];
