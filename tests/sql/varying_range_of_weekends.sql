-- ok
-- a RANGE over window_end, its clauses in another order
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*)
FROM traffic [SLIDE 1 HOUR MAX 1 DAY RANGE if(dayofweek(window_end) IN (1, 7), INTERVAL 1 DAY, INTERVAL 1 HOUR) WATTR ts];
