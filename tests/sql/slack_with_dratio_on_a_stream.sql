-- ConflictingClauses
-- SLACK and DRATIO on one stream
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS DRATIO 1% SOURCE FILE 'data/traffic';
