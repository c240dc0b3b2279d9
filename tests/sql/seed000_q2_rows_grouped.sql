-- ok
-- Q2: vehicles of each segment over the past 1000 rows, every 10 rows
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*)
FROM traffic [RANGE 1000 ROWS
              SLIDE 10 ROWS
              WATTR row_num]
GROUP BY seg_id;
