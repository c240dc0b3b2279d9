-- ok
-- the clauses of a bracket in another order
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, max(speed) FROM traffic [WATTR ts SLIDE 60 SECONDS RANGE 300 SECONDS] GROUP BY seg_id;
