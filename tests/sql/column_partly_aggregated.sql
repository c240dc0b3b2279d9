-- BadQuery
-- an aggregate beside it does not fix a column
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT speed - avg(speed) AS deviation FROM traffic [TUMBLE 5 MINUTES];
