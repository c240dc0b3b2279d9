-- Winning bids: which bid won each auction, when it closed?
-- compare: rows
CREATE STREAM closed AS SELECT DSTREAM id, item, seller FROM auction [RANGE 10 SECONDS];
SELECT id, item, bidder, price FROM (
  SELECT c.id, c.item, b.bidder, b.price, row_number() OVER (PARTITION BY window_end, c.id ORDER BY b.price DESC, b.ts) AS place
  FROM closed [NOW] AS c JOIN bid [RANGE 10 SECONDS] AS b ON c.id = b.auction) AS ranked
WHERE place = 1;
