-- ok
-- figure 1c: temporal extent 2, progression step 1
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT * FROM reading [RANGE 2 SECONDS SLIDE 1 SECOND WATTR ts];
