-- ok
-- windowed aggregation over each grouping list
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT sensor, room, count(*), sum(temperature), min(temperature), max(temperature), avg(temperature)
FROM reading [RANGE 1 HOUR SLIDE 1 MINUTE] GROUP BY sensor, room;
