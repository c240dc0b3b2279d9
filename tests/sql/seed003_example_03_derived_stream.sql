-- ok
-- example 3: the same as a stream that other queries use
CREATE STREAM open_auction (item BIGINT, seller STRING, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SOURCE SOCKET 'localhost:5561';
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING) SOURCE SOCKET 'localhost:5563';
CREATE STREAM expensive_items AS SELECT item, seller, start_price, start_time FROM open_auction WHERE start_price > 1000;
SELECT * FROM expensive_items;
