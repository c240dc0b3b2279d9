-- ok
-- the substreams that punctuate are declared
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP, is_punct BOOLEAN)
  ORDER BY ts
  PUNCTUATION (seg_id, ts) WHEN is_punct FROM ('s1', 's2', 's3')
  SOURCE FILE 'data/traffic' FORMAT csv;
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
