-- UnknownColumn
-- PER SOURCE of a column that is not there
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts PER SOURCE (station) SOURCE FILE 'data/traffic';
