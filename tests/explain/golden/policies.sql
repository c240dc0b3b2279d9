CREATE STREAM readings (sensor STRING, x DOUBLE, ts TIMESTAMP) ORDER BY ts;
SELECT sensor, avg(x) AS mean, window_end
FROM readings [SLIDING delta(ts, 1 HOUR), time(10 SECONDS) PARTITIONED BY (sensor) partition_count(1000)];
SELECT sensor, count(*) AS n FROM readings [TUMBLING count(100) PARTITIONED BY (sensor)];
CREATE STREAM means AS SELECT sensor, avg(x) AS mean FROM readings [TUMBLE 5 MINUTES] GROUP BY sensor;
SELECT max(mean) AS highest FROM means [TUMBLING punct()];
