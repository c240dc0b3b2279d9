-- ok
-- figure 1b: the lower bound is fixed
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT count(*) FROM reading [LANDMARK FROM TIMESTAMP '2026-01-01' SLIDE 1 SECOND WATTR ts];
