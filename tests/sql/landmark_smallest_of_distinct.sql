-- ok
-- the smallest of distinct values is the smallest: one value
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, min(DISTINCT speed) AS lo FROM traffic [LANDMARK SLIDE 1 HOUR] GROUP BY seg_id;
