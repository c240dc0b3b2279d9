-- ok
-- relation to stream: what disappeared
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT DSTREAM count(*) FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE];
