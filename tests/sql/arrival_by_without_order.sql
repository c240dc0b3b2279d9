-- NotOrdered
-- an arrival time is a time or a number
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, received TIMESTAMP, ts TIMESTAMP)
  ORDER BY ts DRATIO 1% NORMAL ARRIVAL BY seg_id SOURCE FILE 'data/traffic';
