-- ok
-- RANGE 5 MINUTES 30 SECONDS PRECEDING without ORDER BY
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (RANGE 5 MINUTES 30 SECONDS PRECEDING) AS mean FROM traffic;
