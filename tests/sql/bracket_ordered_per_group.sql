-- ok
-- ORDERED PER may stand in the bracket
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, max(speed) FROM traffic [RANGE 300 SECONDS SLIDE 30 SECONDS ORDERED PER seg_id] GROUP BY seg_id;
