-- UnknownColumn
-- a RANGE that varies depends on window_end alone
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE if(speed > 3, INTERVAL 1 MINUTE, INTERVAL 1 HOUR) MAX 1 HOUR SLIDE 1 MINUTE];
