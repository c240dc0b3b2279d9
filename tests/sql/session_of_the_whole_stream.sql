-- ok
-- PATTR (): the stream is cut first, and each session is grouped after
CREATE STREAM s (cust STRING, x INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/s' FORMAT csv;
SELECT cust, count(*) AS n FROM s [SESSION GAP 30 SECONDS PATTR () WHERE x > 1] GROUP BY cust;
