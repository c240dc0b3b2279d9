-- ok
-- section 5.1: punctuation generated because each sensor's readings are sorted
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP)
  ORDER BY ts
  ORDERED PER seg_id
  SOURCE FILE 'data/traffic' FORMAT csv;
SELECT seg_id, max(speed) FROM traffic [RANGE 300 SECONDS SLIDE 60 SECONDS WATTR ts] GROUP BY seg_id;
