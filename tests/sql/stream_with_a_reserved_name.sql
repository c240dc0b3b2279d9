-- ReservedName
-- A column called as one that windows have
CREATE STREAM traffic (speed DOUBLE, Window_End TIMESTAMP, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/traffic';
