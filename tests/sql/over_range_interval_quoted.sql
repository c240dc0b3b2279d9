-- ok
-- the same with INTERVAL '5' MINUTE
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ORDER BY ts RANGE INTERVAL '5' MINUTE PRECEDING) AS mean FROM traffic;
