-- ok
-- EXPLAIN q stands for EXPLAIN SELECT * FROM q
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/traffic';
CREATE STREAM q AS SELECT count(*) AS n FROM traffic [TUMBLE 5 MINUTES];
EXPLAIN q;
CHECK q;
