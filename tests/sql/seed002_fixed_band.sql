-- ok
-- section 3.3: both bounds are fixed
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT count(*) FROM reading [BAND TIMESTAMP '2026-01-01' TO TIMESTAMP '2026-01-31' SLIDE 1 DAY WATTR ts];
