-- ReadOnlyTable
-- the system inserts into inwindow
CREATE WINDOW AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  TABLE inwindow(old DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { INSERT INTO inwindow VALUES (x); }
};
