-- WrongUnit
-- a delta on a timestamp, measured in a number
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [SLIDING delta(ts, 100), delta(ts, 10) PARTITIONED BY (seg_id) partition_age(1 HOUR)];
