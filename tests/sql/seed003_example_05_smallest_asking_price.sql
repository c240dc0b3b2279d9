-- ok
-- example 5: the lowest start price so far, for each seller
CREATE STREAM open_auction (item BIGINT, seller STRING, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SOURCE SOCKET 'localhost:5561';
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING) SOURCE SOCKET 'localhost:5563';
SELECT seller, min(start_price) OVER (PARTITION BY seller ROWS UNBOUNDED PRECEDING) FROM open_auction;
