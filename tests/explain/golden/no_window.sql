CREATE STREAM traffic (seg_id STRING, speed DOUBLE, mile INT, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS;
SELECT seg_id, speed FROM traffic WHERE speed > 120;
