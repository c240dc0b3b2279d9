-- ok
-- section 7.2: Aurora's BSort, at most n positions out of order
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP)
  ORDER BY ts
  SLACK 100 ROWS
  SOURCE FILE 'data/traffic' FORMAT csv;
SELECT seg_id, max(speed) FROM traffic [RANGE 300 SECONDS SLIDE 60 SECONDS] GROUP BY seg_id;
