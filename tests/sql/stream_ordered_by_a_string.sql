-- NotOrdered
-- a stream cannot be ordered by a string
CREATE STREAM traffic (seg_id STRING, speed DOUBLE) ORDER BY seg_id SOURCE FILE 'data/traffic';
