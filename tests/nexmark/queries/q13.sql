-- Side input: bids with what a table says of their auction.
-- compare: rows
CREATE TABLE side (code BIGINT, label STRING);
SELECT auction, bidder, price, label FROM bid JOIN side ON auction % 4 = code;
