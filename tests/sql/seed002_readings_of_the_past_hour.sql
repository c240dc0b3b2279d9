-- ok
-- section 4.1: maintain all sensor readings over the past hour
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT * FROM reading [RANGE 1 HOUR];
