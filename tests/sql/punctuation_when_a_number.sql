-- BadPunctuation
-- a number where a condition belongs
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts PUNCTUATION (ts) WHEN speed SOURCE FILE 'data/traffic';
