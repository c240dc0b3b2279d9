-- ok
-- relation to stream: what appeared
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT ISTREAM seg_id, max(speed) FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE] GROUP BY seg_id;
