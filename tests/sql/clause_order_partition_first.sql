-- ok
-- PATTR with two columns, then the rest
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, vehicle, count(*) FROM traffic [PATTR seg_id, vehicle SLIDE 10 ROWS RANGE 1000 ROWS];
