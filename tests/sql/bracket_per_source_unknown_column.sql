-- UnknownColumn
-- PER SOURCE in the bracket names columns of the stream
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, received TIMESTAMP, ts TIMESTAMP)
  ORDER BY ts SOURCE FILE 'data/traffic';
SELECT count(*) FROM traffic [TUMBLE 5 MINUTES HEARTBEAT PER SOURCE (segment)];
