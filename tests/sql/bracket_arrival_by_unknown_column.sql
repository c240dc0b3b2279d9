-- UnknownColumn
-- ARRIVAL BY in the bracket names a column of the stream
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, received TIMESTAMP, ts TIMESTAMP)
  ORDER BY ts SOURCE FILE 'data/traffic';
SELECT count(*) FROM traffic [TUMBLE 5 MINUTES DRATIO 1% NORMAL ARRIVAL BY recieved];
