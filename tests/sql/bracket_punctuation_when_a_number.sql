-- BadPunctuation
-- a number where a condition belongs
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/traffic';
SELECT count(*) AS n FROM traffic [TUMBLE 1 MINUTE PUNCTUATION (ts) WHEN speed];
