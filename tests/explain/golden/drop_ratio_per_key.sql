CREATE STREAM traffic (seg_id STRING, speed DOUBLE, mile INT, ts TIMESTAMP) ORDER BY ts DRATIO 1%;
SELECT seg_id, avg(speed) AS a, window_end FROM traffic [RANGE 5 MINUTES SLIDE 30 SECONDS] GROUP BY seg_id;
