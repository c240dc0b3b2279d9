-- ok
-- section 4: a sample of size one is the tuple of the largest random priority
CREATE STREAM open_auction (item BIGINT, seller STRING, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SOURCE SOCKET 'localhost:5561';
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING) SOURCE SOCKET 'localhost:5563';
CREATE STREAM prioritized AS SELECT item, price, rand() AS priority FROM bid;
SELECT max(priority) OVER (ROWS 99 PRECEDING) AS chosen FROM prioritized;
