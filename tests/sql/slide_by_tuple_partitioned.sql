-- ok
-- every tuple of a partition opens a window there
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*) FROM traffic [RANGE 300 SECONDS RATTR ts SLIDE 1 ROW PATTR seg_id];
