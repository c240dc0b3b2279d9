-- UnboundedState
-- the tuples themselves, kept for ever
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT * FROM traffic [LANDMARK FROM TIMESTAMP '2026-01-01' SLIDE 1 HOUR];
