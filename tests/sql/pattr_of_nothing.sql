-- MissingClause
-- PATTR () is for sessions
CREATE STREAM s (cust STRING, x INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/s' FORMAT csv;
SELECT count(*) AS n FROM s [TUMBLE 5 MINUTES PATTR ()];
