-- BadAggregate
-- a call has the declared number of arguments
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { UPDATE state SET v = v + x; }
  TERMINATE: { INSERT INTO RETURN SELECT v FROM state; }
};
CREATE STREAM bid (item BIGINT, price DOUBLE, name STRING, ts TIMESTAMP) ORDER BY ts;
SELECT f(price, item) FROM bid [TUMBLE 5 MINUTES];
