-- ok
-- late tuples are a stream like any other
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 5 SECONDS SOURCE FILE 'data/traffic';
CREATE STREAM late_traffic AS LATE OF traffic;
SELECT seg_id, count(*) FROM late_traffic [TUMBLE 1 HOUR] GROUP BY seg_id;
