-- BadQuery
-- the group is not known where the stream is cut into sessions
CREATE STREAM s (cust STRING, x INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/s' FORMAT csv;
SELECT count(*) AS n FROM s [SESSION GAP 30 SECONDS] GROUP BY upper(cust);
