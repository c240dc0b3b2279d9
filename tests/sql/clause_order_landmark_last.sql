-- ok
-- the kind of window may come last
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [WATTR ts SLIDE 1 HOUR LANDMARK FROM TIMESTAMP '2026-01-01'];
