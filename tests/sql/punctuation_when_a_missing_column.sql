-- BadPunctuation
-- a predicate over a column that is not there
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts PUNCTUATION (ts) WHEN is_punct SOURCE FILE 'data/traffic';
