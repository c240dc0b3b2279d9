-- ok
-- row_num and arrival_ts are always there
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT row_num, arrival_ts, speed FROM traffic WHERE row_num > 10;
