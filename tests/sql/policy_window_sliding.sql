-- ok
-- a partitioned policy window
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*) AS n FROM traffic [SLIDING delta(ts, 100 SECONDS), delta(ts, 10 SECONDS) PARTITIONED BY (seg_id) partition_age(1 HOUR)];
