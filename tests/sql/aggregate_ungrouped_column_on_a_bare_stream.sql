-- BadQuery
-- a column beside an aggregate of a bare stream
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { INSERT INTO RETURN VALUES (x); }
};
CREATE STREAM bid (item BIGINT, price DOUBLE, name STRING, ts TIMESTAMP) ORDER BY ts;
SELECT item, f(price) FROM bid;
