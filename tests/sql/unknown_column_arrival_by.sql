-- UnknownColumn
-- ARRIVAL BY a column that is not there
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts DRATIO 1% ARRIVAL BY received SOURCE FILE 'data/traffic';
