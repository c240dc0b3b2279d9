-- Bids with their auction, in category 10. Both are kept for a day.
-- compare: rows
SELECT b.auction, b.bidder, b.price, a.item, a.seller
FROM bid [RANGE 1 DAY] AS b JOIN auction [RANGE 1 DAY] AS a ON b.auction = a.id WHERE a.category = 10;
