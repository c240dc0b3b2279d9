-- UnknownColumn
-- ORDERED PER a column that is not there
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts ORDERED PER seg_id SOURCE FILE 'data/traffic';
