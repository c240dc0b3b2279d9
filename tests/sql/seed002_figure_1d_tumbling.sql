-- ok
-- figure 1d: temporal extent 2, progression step 2
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT * FROM reading [RANGE 2 SECONDS SLIDE 2 SECONDS WATTR ts];
