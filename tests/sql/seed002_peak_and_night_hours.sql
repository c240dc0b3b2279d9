-- ok
-- section 3.3: an extent that varies with time
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT avg(temperature)
FROM reading [RANGE CASE WHEN hour(window_end) BETWEEN 7 AND 9 THEN INTERVAL 5 MINUTES ELSE INTERVAL 30 MINUTES END
              MAX 30 MINUTES SLIDE 1 MINUTE WATTR ts];
