-- WrongUnit
-- SLACK % stands inside a bracket only
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 10% SOURCE FILE 'data/traffic';
