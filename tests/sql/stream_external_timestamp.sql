-- ok
-- external timestamp: a column of the tuples
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
DESCRIBE STREAM traffic;
