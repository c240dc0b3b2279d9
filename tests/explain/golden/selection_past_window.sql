CREATE STREAM traffic (seg_id STRING, speed DOUBLE, mile INT, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS;
SELECT seg_id, count(*) AS n FROM traffic [TUMBLE 5 MINUTES PATTR seg_id] WHERE speed > 50;
