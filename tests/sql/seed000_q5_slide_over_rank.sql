-- ok
-- Q5: slides by 10 rows in the logical order of ts
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*)
FROM traffic [RANGE 300 SECONDS
              RATTR ts
              SLIDE 10 ROWS
              SATTR rank(ts)]
GROUP BY seg_id;
