-- ok
-- SESSION GAP with PATTR
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT vehicle, count(*), window_start, window_end FROM traffic [SESSION GAP 30 SECONDS PATTR vehicle];
