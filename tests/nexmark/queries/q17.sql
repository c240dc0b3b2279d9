-- Statistics of bids by auction and day: the smallest, the largest, the average and the sum, too.
-- compare: rows
SELECT auction, count(*) AS bids, count(*) FILTER (WHERE price < 300) AS low, min(price) AS lowest, max(price) AS highest, avg(price) AS mean, sum(price) AS total, window_start
FROM bid [TUMBLE 1 DAY] GROUP BY auction;
