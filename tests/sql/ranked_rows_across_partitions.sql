-- BadFrame
-- rows are counted in each partition
CREATE STREAM a (k BIGINT, x BIGINT, s STRING, tags MAP<STRING, INT>, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'a' FORMAT json;
CREATE STREAM b (k BIGINT, y BIGINT, s STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'b' FORMAT json;
SELECT k, x, rank() OVER (PARTITION BY window_end ORDER BY x) AS place FROM a [RANGE 10 ROWS PATTR k];
