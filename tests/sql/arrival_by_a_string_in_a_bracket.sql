-- NotOrdered
-- ARRIVAL BY a column that is no time and no number, in a window's bracket
CREATE STREAM traffic (speed DOUBLE, kind STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/traffic';
SELECT count(*) AS n FROM traffic [TUMBLE 5 MINUTES DRATIO 1% ARRIVAL BY kind];
