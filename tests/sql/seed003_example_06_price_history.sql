-- ok
-- example 6: the union of two streams
CREATE STREAM open_auction (item BIGINT, seller STRING, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SOURCE SOCKET 'localhost:5561';
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING) SOURCE SOCKET 'localhost:5563';
SELECT item, start_price AS price FROM open_auction UNION ALL SELECT item, final_price AS price FROM closed_auction;
