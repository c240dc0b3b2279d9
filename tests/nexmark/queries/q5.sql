-- Hot items: which auctions had the most bids in the last 10 seconds, every 2 seconds?
-- compare: rows
SELECT auction, n, window_end FROM (
  SELECT auction, n, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS place FROM (
    SELECT auction, count(*) AS n FROM bid [RANGE 10 SECONDS SLIDE 2 SECONDS] GROUP BY auction) AS counted) AS ranked
WHERE place = 1;
