-- BadFrame
-- OVER stands on a stream, not on a window of it
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ROWS 9 PRECEDING) FROM traffic [TUMBLE 5 MINUTES];
