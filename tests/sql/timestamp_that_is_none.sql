-- BadTimestamp
-- a timestamp that cannot be read
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [LANDMARK FROM TIMESTAMP 'next tuesday' SLIDE 1 HOUR];
