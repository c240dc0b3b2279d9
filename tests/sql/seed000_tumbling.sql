-- ok
-- a tumbling window: range equals slide
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, max(speed) FROM traffic [RANGE 60 SECONDS SLIDE 60 SECONDS WATTR ts] GROUP BY seg_id;
