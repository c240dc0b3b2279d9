CREATE STREAM traffic (seg_id STRING, speed DOUBLE, mile INT, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS;
SELECT max(m) AS peak FROM (SELECT avg(speed) AS m FROM traffic [TUMBLE 1 MINUTE]) AS per_minute [TUMBLE 1 HOUR];
