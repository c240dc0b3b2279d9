-- ok
-- sessions of each customer, and not of the stream
CREATE STREAM s (cust STRING, x INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/s' FORMAT csv;
SELECT cust, count(*) AS n, window_start, window_end FROM s [SESSION GAP 30 SECONDS] GROUP BY cust;
