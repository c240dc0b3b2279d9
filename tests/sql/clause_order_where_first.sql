-- ok
-- WHERE before RANGE
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [WHERE speed > 80 RANGE 100 ROWS SLIDE 10 ROWS];
