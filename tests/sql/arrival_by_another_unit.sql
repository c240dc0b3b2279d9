-- WrongUnit
-- NORMAL subtracts event times from arrival times
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, received TIMESTAMP, ts TIMESTAMP)
  ORDER BY ts DRATIO 1% NORMAL ARRIVAL BY milepost SOURCE FILE 'data/traffic';
