-- Highest bid: which bids were the highest of their 10 seconds?
-- compare: rows
SELECT b.auction, b.price, b.bidder, b.window_end FROM bid [TUMBLE 10 SECONDS] AS b
JOIN (SELECT max(price) AS best FROM bid [TUMBLE 10 SECONDS]) AS m ON b.price = m.best;
