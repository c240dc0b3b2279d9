-- ok
-- section 4.1: the smallest timestamp of its tuples is given to a result
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT sensor, count(*) AS n, event_ts FROM reading [RANGE 1 HOUR SLIDE 1 MINUTE] TIMESTAMP MIN GROUP BY sensor;
