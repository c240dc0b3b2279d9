-- UnknownColumn
-- there is no tuple in TERMINATE
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { UPDATE state SET v = v + x; }
  TERMINATE: { INSERT INTO RETURN SELECT v + x FROM state; }
};
