-- BadPunctuation
-- punctuation over a column that is not there
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP, is_punct BOOLEAN) ORDER BY ts PUNCTUATION (seg_id, ts) WHEN is_punct SOURCE FILE 'data/traffic';
