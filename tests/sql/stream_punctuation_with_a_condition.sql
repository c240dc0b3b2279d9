-- ok
-- any predicate tells punctuation from tuples
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP)
  ORDER BY ts
  PUNCTUATION (ts) WHEN speed IS NULL AND seg_id = '*'
  SOURCE FILE 'data/traffic' FORMAT csv;
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
