-- NotOrdered
-- ARRIVAL BY a column that is no time and no number
CREATE STREAM traffic (speed DOUBLE, kind STRING, ts TIMESTAMP) ORDER BY ts DRATIO 1% ARRIVAL BY kind SOURCE FILE 'data/traffic';
