-- ok
-- relation to stream: all
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT RSTREAM DISTINCT seg_id FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE];
