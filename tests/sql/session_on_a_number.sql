-- ok
-- SESSION GAP on a number
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [SESSION GAP 5 WATTR milepost];
