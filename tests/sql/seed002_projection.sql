-- ok
-- windowed projection
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT sensor, temperature FROM reading [RANGE 1 HOUR SLIDE 1 MINUTE];
