-- ok
-- HEARTBEAT on a stream
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts HEARTBEAT SOURCE FILE 'data/traffic';
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
