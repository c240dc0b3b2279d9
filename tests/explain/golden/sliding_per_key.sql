CREATE STREAM traffic (seg_id STRING, speed DOUBLE, mile INT, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS;
SELECT seg_id, max(speed) AS hi, min(speed) AS lo, window_end FROM traffic [RANGE 300 SECONDS SLIDE 60 SECONDS WATTR ts] GROUP BY seg_id;
