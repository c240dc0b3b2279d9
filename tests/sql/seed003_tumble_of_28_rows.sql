-- ok
-- section 5.1: of each slot of 28 rows the last 10 count
CREATE STREAM open_auction (item BIGINT, seller STRING, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SOURCE SOCKET 'localhost:5561';
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING) SOURCE SOCKET 'localhost:5563';
SELECT item, sum(price) OVER (PARTITION BY item ROWS 9 PRECEDING SLIDE 28 ROWS) FROM bid;
