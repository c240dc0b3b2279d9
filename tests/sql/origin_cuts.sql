-- ok
-- ORIGIN sets the first window
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE 1 HOUR SLIDE 10 MINUTES ORIGIN TIMESTAMP '2026-01-01 08:00:00'];
