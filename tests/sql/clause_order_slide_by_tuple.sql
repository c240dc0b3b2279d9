-- ok
-- the clauses of a window that slides by rank, backwards
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [SATTR rank(ts) SLIDE 10 ROWS RATTR ts RANGE 300 SECONDS];
