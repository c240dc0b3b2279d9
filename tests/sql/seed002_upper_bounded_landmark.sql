-- ok
-- section 3.3: the upper bound is fixed, then the contents are frozen
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT count(*) FROM reading [LANDMARK UNTIL TIMESTAMP '2026-12-31' SLIDE 1 DAY WATTR ts];
