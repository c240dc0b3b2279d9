CREATE STREAM traffic (seg_id STRING, speed DOUBLE, mile INT, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS;
SELECT seg_id, sum(speed) AS total FROM traffic [LANDMARK FROM 0 SLIDE 10 WATTR mile] GROUP BY seg_id;
