-- UnknownColumn
-- a column of a table that is not in FROM
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { INSERT INTO RETURN SELECT v; }
};
