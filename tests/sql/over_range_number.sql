-- ok
-- RANGE as a plain number in the order of a number
CREATE STREAM epoch (n BIGINT, v DOUBLE) ORDER BY n SOURCE FILE 'data/epoch';
SELECT n, avg(v) OVER (ORDER BY n RANGE 10 PRECEDING) AS mean FROM epoch;
