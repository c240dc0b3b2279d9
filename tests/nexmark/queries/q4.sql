-- Average price by category: what do the winning bids of closed auctions cost on average? One row whenever an average changes.
-- compare: latest per category
CREATE STREAM closed AS SELECT DSTREAM id, seller, category FROM auction [RANGE 10 SECONDS];
CREATE STREAM won AS SELECT c.category, c.id, max(b.price) AS final
  FROM closed [NOW] AS c JOIN bid [RANGE 10 SECONDS] AS b ON c.id = b.auction GROUP BY c.category, c.id;
SELECT ISTREAM category, avg(final) AS mean FROM won [RANGE 1 DAY] GROUP BY category;
