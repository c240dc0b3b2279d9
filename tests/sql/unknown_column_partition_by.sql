-- UnknownColumn
-- in PARTITION BY
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (PARTITION BY segment ROWS 9 PRECEDING) FROM traffic;
