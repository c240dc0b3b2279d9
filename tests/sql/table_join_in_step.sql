-- ok
-- a table beside a join in step
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (id STRING, miles DOUBLE);
CREATE STREAM slow AS SELECT seg_id, avg(speed) AS mean FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id;
CREATE STREAM busy AS SELECT seg_id, count(*) AS n FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id;
SELECT slow.seg_id, mean, n, miles FROM slow JOIN busy ON slow.seg_id = busy.seg_id AND slow.event_ts = busy.event_ts LEFT JOIN segment ON slow.seg_id = id;
