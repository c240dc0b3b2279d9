-- Top bids: the three highest bids of each auction in a day. What enters and what leaves the top.
-- compare: net
SELECT ISTREAM auction, bidder, price, place FROM (
  SELECT auction, bidder, price, row_number() OVER (PARTITION BY window_end, auction ORDER BY price DESC, ts) AS place FROM bid [RANGE 1 DAY]) AS ranked
WHERE place <= 3;
