-- ok
-- section 3.3: the window slides with the granularity of time
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT avg(temperature) FROM reading [RANGE 5 MINUTES WATTR ts];
