-- NotOrdered
-- maps have no order
CREATE STREAM a (k BIGINT, x BIGINT, tags MAP<STRING, INT>, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'a' FORMAT json;
SELECT x, rank() OVER (PARTITION BY window_end ORDER BY tags) AS r FROM a [TUMBLE 5 MINUTES];
