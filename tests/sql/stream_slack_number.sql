-- ok
-- SLACK as a number on a numeric order column
CREATE STREAM epoch (n BIGINT, v DOUBLE) ORDER BY n SLACK 10 SOURCE FILE 'data/epoch' FORMAT parquet;
SELECT avg(v) FROM epoch [TUMBLE 100];
