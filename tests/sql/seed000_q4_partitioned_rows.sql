-- ok
-- Q4: PATTR instead of GROUP BY; the partitioning attribute can be selected
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*)
FROM traffic [RANGE 1000 ROWS
              SLIDE 10 ROWS
              WATTR row_num
              PATTR seg_id];
