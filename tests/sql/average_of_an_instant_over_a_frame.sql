-- NotSupported
-- an average over a frame takes numbers, which is known from the declared types
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(ts) OVER (ROWS 5 PRECEDING) AS n FROM traffic;
