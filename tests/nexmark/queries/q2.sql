-- Selection: which bids are on one of some auctions?
-- compare: rows
SELECT auction, price FROM bid WHERE auction % 5 = 0;
