-- ok
-- plain numbers on an integer order column
CREATE STREAM epoch (n BIGINT, v DOUBLE) ORDER BY n SLACK 3 SOURCE FILE 'data/epoch' FORMAT parquet;
SELECT avg(v) FROM epoch [RANGE 10 SLIDE 5];
