-- ConflictingClauses
-- BFSIZE goes with SLACK or DRATIO
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, received TIMESTAMP, ts TIMESTAMP)
  ORDER BY ts SOURCE FILE 'data/traffic';
SELECT count(*) FROM traffic [TUMBLE 5 MINUTES HEARTBEAT BFSIZE 100];
