-- ok
-- windowed union
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT sensor FROM reading [RANGE 1 HOUR SLIDE 1 MINUTE] UNION ALL SELECT sensor FROM reading [RANGE 10 ROWS];
