-- ok
-- SOURCE RATE with options
CREATE STREAM tick (value BIGINT, timestamp TIMESTAMP) ORDER BY timestamp SOURCE RATE OPTIONS (rowsPerSecond '100');
SELECT count(*) FROM tick [TUMBLE 1 SECOND];
