-- ok
-- example 8: a continuous average with exponential decay; without TERMINATE it is non-blocking, and may be called on a bare stream
CREATE AGGREGATE continuous_avg(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x); INSERT INTO RETURN VALUES (x); }
  ITERATE:    { UPDATE state SET v = 0.25 * v + 0.75 * x; INSERT INTO RETURN SELECT v FROM state; }
};
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE) SOURCE SOCKET 'localhost:5562';
SELECT continuous_avg(final_price) FROM closed_auction;
