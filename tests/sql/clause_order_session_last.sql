-- ok
-- PATTR before SESSION
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT vehicle, count(*) FROM traffic [PATTR vehicle SESSION GAP 30 SECONDS];
