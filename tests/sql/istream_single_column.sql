-- ok
-- the same where it could be taken for an alias
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT ISTREAM seg_id FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE];
