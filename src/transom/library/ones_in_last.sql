-- About how many of the last n bits were 1, in memory that grows with the logarithm of n: the exponential histogram of Datar et
-- al. (seed 003, section 7). A bucket stands for `size` ones, the latest of which came at `latest`. Where there are more than two
-- buckets of a size, the two oldest become one of twice the size. Of the oldest bucket half is taken.
--
-- example: SELECT ones_in_last(CAST(price > 100 AS INT), 1000) AS expensive FROM bid;
CREATE AGGREGATE ones_in_last(bit INT, n BIGINT) RETURNS BIGINT {
  TABLE clock(now BIGINT);
  TABLE buckets(size BIGINT, latest BIGINT);
  TABLE crowded(size BIGINT, oldest_of BIGINT);
  INITIALIZE: {
    INSERT INTO clock VALUES (1);
    INSERT INTO buckets SELECT 1, 1 WHERE bit = 1;
    INSERT INTO RETURN SELECT count(*) FROM buckets;
  }
  ITERATE: {
    UPDATE clock SET now = now + 1;
    DELETE FROM buckets WHERE latest <= (SELECT now FROM clock) - n;
    INSERT INTO buckets SELECT 1, now FROM clock WHERE bit = 1;
    INSERT INTO crowded SELECT size, min(latest) FROM buckets GROUP BY size HAVING count(*) > 2;
    DELETE FROM buckets WHERE EXISTS (SELECT 1 FROM crowded AS c WHERE c.size = buckets.size AND c.oldest_of = buckets.latest);
    UPDATE buckets SET size = size * 2
      WHERE EXISTS (SELECT 1 FROM crowded AS c WHERE c.size = buckets.size)
        AND latest = (SELECT min(b.latest) FROM buckets AS b WHERE b.size = buckets.size);
    DELETE FROM crowded;
    INSERT INTO RETURN SELECT COALESCE(sum(size), 0) - COALESCE((SELECT b.size FROM buckets AS b ORDER BY b.latest LIMIT 1), 0) div 2
      FROM buckets;
  }
};
