-- ok
-- WHERE in the bracket, with a compound condition
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE 100 ROWS SLIDE 10 ROWS PATTR seg_id WHERE speed > 80 AND NOT seg_id LIKE 'test%'];
