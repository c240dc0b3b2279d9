-- TypeMismatch
-- RETURN takes as many values as RETURNS says
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { INSERT INTO RETURN SELECT v, n FROM state; }
};
