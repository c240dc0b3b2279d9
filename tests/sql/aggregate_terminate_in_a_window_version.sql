-- BadAggregate
-- a window has no end
CREATE WINDOW AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  TABLE inwindow(old DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { UPDATE state SET v = v + x; }
  TERMINATE: { INSERT INTO RETURN SELECT v FROM state; }
};
