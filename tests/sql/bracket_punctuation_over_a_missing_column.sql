-- BadPunctuation
-- what a bracket says of promises is checked as what a stream says
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/traffic';
SELECT count(*) AS n FROM traffic [TUMBLE 1 MINUTE PUNCTUATION (zz) WHEN speed = 0];
