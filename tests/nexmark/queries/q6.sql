-- Average of the last 10 sales per seller, with every sale. (Flink lists it as unsupported.)
-- compare: rows
CREATE STREAM closed AS SELECT DSTREAM id, seller FROM auction [RANGE 10 SECONDS];
CREATE STREAM won AS SELECT c.seller, c.id, max(b.price) AS final
  FROM closed [NOW] AS c JOIN bid [RANGE 10 SECONDS] AS b ON c.id = b.auction GROUP BY c.seller, c.id;
SELECT seller, avg(final) AS mean FROM won [RANGE 10 ROWS SLIDE 1 ROW PATTR seller] GROUP BY seller;
