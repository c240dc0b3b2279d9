-- ok
-- a window of days on a DATE column
CREATE STREAM sale (shop STRING, amount DOUBLE, day DATE) ORDER BY day SOURCE FILE 'data/sale' FORMAT csv;
SELECT shop, sum(amount) FROM sale [RANGE 7 DAYS SLIDE 1 DAY] GROUP BY shop;
