-- UnknownStream
-- a dropped stream is gone
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
DROP STREAM traffic;
SELECT * FROM traffic;
