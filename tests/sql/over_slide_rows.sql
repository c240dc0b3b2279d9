-- ok
-- SLIDE n ROWS: a result per yield tuple
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, sum(speed) OVER (PARTITION BY seg_id ROWS 49 PRECEDING SLIDE 10 ROWS) AS total FROM traffic;
