-- WrongUnit
-- a plain SLACK on a stream ordered by time
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 10 SOURCE FILE 'data/traffic';
