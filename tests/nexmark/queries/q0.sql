-- Pass through: all bids as they are.
-- compare: rows
SELECT auction, bidder, price, ts FROM bid;
