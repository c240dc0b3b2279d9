-- ok
-- windowed duplicate elimination
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT DISTINCT sensor, room FROM reading [RANGE 1 HOUR SLIDE 1 MINUTE];
