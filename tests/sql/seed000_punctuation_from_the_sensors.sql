-- ok
-- the running example: each sensor punctuates on (seg_id, ts)
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP, is_punct BOOLEAN)
  ORDER BY ts
  PUNCTUATION (seg_id, ts) WHEN is_punct
  SOURCE FILE 'data/traffic' FORMAT csv;
SELECT seg_id, max(speed), min(speed) FROM traffic [RANGE 300 SECONDS SLIDE 60 SECONDS WATTR ts] GROUP BY seg_id;
