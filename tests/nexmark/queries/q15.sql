-- Statistics of bids by day: how many, from whom, in which bands of price?
-- compare: rows
SELECT count(*) AS bids, count(*) FILTER (WHERE price < 300) AS low, count(*) FILTER (WHERE price >= 300 AND price < 700) AS middle, count(*) FILTER (WHERE price >= 700) AS high, count(DISTINCT bidder) AS bidders, count(DISTINCT bidder) FILTER (WHERE price >= 700) AS high_bidders, count(DISTINCT auction) AS auctions, window_start FROM bid [TUMBLE 1 DAY];
