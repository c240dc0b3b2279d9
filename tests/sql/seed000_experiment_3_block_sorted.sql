-- ok
-- experiment 3: count under block-sorted disorder, consistent slack of a block
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) AS cnt FROM traffic [RANGE 60 SECONDS SLIDE 60 SECONDS WATTR ts SLACK 60 SECONDS LATE CONSISTENT];
