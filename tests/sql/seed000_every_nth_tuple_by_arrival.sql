-- ok
-- the variation of Q3 in which every 10th tuple in arrival order defines a window
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE 300 SECONDS RATTR ts SLIDE 10 ROWS SATTR row_num];
