-- ok
-- generalized projection with renaming
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT sensor AS device, temperature * 1.8 + 32 AS fahrenheit FROM reading [RANGE 1 HOUR SLIDE 1 MINUTE];
