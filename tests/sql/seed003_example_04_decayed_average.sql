-- ok
-- example 4 calls an aggregate of example 8, written in SQL
CREATE STREAM open_auction (item BIGINT, seller STRING, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SOURCE SOCKET 'localhost:5561';
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING) SOURCE SOCKET 'localhost:5563';
CREATE AGGREGATE decay_online_avg(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x); INSERT INTO RETURN VALUES (x); }
  ITERATE:    { UPDATE state SET v = 0.9 * v + 0.1 * x; INSERT INTO RETURN SELECT v FROM state; }
};
SELECT decay_online_avg(final_price) FROM closed_auction;
