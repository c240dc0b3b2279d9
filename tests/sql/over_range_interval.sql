-- ok
-- RANGE INTERVAL 5 MINUTES PRECEDING in the order of ts
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT *, avg(speed) OVER (PARTITION BY seg_id ORDER BY ts RANGE INTERVAL 5 MINUTES PRECEDING) FROM traffic;
