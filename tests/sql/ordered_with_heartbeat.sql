-- ConflictingClauses
-- two generators on one stream
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts ORDERED HEARTBEAT SOURCE FILE 'data/traffic';
