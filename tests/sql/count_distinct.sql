-- ok
-- a distinct aggregate and other built-in aggregates
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(DISTINCT vehicle) AS vehicles, stddev_samp(speed) AS spread, median(speed) AS mid, collect_set(seg_id) AS segments
FROM traffic [TUMBLE 5 MINUTES];
