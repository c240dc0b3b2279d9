-- ok
-- a sorted stream
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts ORDERED SOURCE FILE 'data/traffic';
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
