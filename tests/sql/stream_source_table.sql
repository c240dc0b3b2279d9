-- ok
-- SOURCE TABLE
CREATE STREAM reading (sensor STRING, v DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE TABLE readings;
SELECT sensor, avg(v) FROM reading [TUMBLE 1 HOUR] GROUP BY sensor;
