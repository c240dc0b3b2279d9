-- Currency: what is each price in euros?
-- compare: rows
SELECT auction, bidder, price * 908 / 1000 AS price, ts FROM bid;
