-- ok
-- CHECK
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CHECK SELECT seg_id, max(speed) FROM traffic [RANGE 300 SECONDS SLIDE 60 SECONDS] GROUP BY seg_id;
