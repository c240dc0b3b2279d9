-- UnknownColumn
-- the order column of a stream is one of its columns
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY time SOURCE FILE 'data/traffic';
