-- ok
-- TUMBLE in rows, per key
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*) FROM traffic [TUMBLE 100 ROWS PATTR seg_id];
