-- ok
-- the bracket may state another tolerance than the stream
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 1 MINUTE SOURCE FILE 'data/traffic';
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES DRATIO 1%];
