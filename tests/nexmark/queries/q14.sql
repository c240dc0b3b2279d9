-- Calculation: converted prices of bids in a band, by the time of day.
-- compare: rows
SELECT auction, bidder, price * 908 / 1000 AS price,
  CASE WHEN hour(ts) >= 8 AND hour(ts) <= 18 THEN 'day' WHEN hour(ts) <= 6 OR hour(ts) >= 20 THEN 'night' ELSE 'other' END AS time,
  length(url) AS size FROM bid WHERE price * 908 / 1000 > 100 AND price * 908 / 1000 < 500;
