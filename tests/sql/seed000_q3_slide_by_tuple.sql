-- ok
-- Q3: slide by tuple, range over ts and slide over row_num, with the GROUP BY its select list needs
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*)
FROM traffic [RANGE 300 SECONDS
              RATTR ts
              SLIDE 1 ROW
              SATTR row_num]
GROUP BY seg_id;
