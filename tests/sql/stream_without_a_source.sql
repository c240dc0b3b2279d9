-- ok
-- a stream whose DataFrame is handed over from Python
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts;
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
