-- ok
-- a row window on an integer column of the tuples
CREATE STREAM numbered (n BIGINT, v DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/numbered' FORMAT csv;
SELECT sum(v) FROM numbered [RANGE 100 ROWS SLIDE 10 ROWS WATTR n];
