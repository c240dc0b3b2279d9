-- ok
-- figure 2: a sliding window delayed with regard to current time
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT * FROM reading [RANGE 5 MINUTES SLIDE 1 MINUTE WATTR ts LAG 1 HOUR];
