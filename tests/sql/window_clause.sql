-- NotSupported
-- a WINDOW clause is not silently dropped: the window stands in brackets behind the stream
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic WINDOW w AS (RANGE 1 MINUTE PRECEDING);
