-- ReadOnlyTable
-- inwindow is not updated
CREATE WINDOW AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  TABLE inwindow(old DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { UPDATE inwindow SET old = x; }
};
