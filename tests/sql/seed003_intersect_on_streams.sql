-- UnboundedState
-- section 2: neither does INTERSECT
CREATE STREAM open_auction (item BIGINT, seller STRING, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SOURCE SOCKET 'localhost:5561';
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING) SOURCE SOCKET 'localhost:5563';
SELECT item FROM open_auction INTERSECT SELECT item FROM closed_auction;
