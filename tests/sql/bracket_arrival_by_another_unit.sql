-- WrongUnit
-- the window's own axis is a number, the stream's arrival time is not
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, received TIMESTAMP, ts TIMESTAMP)
  ORDER BY ts ARRIVAL BY received SOURCE FILE 'data/traffic';
SELECT count(*) FROM traffic [TUMBLE 5 WATTR milepost DRATIO 1% NORMAL];
