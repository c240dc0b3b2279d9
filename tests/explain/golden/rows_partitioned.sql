CREATE STREAM traffic (seg_id STRING, speed DOUBLE, mile INT, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS;
SELECT seg_id, avg(speed) AS m FROM traffic [RANGE 100 ROWS PATTR seg_id];
