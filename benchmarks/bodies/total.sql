-- A sum that may be fed with its own results: on panes, the base version on each, and their sums into the window version.
CREATE AGGREGATE total_on_panes(x DOUBLE) RETURNS DOUBLE ALGEBRAIC {
  TABLE state(total DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x); }
  ITERATE:    { UPDATE state SET total = total + x; }
  TERMINATE:  { INSERT INTO RETURN SELECT total FROM state; }
};
CREATE WINDOW AGGREGATE total_on_panes(x DOUBLE) RETURNS DOUBLE ALGEBRAIC {
  TABLE state(total DOUBLE);
  TABLE inwindow(old DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x); INSERT INTO RETURN VALUES (x); }
  ITERATE:    { UPDATE state SET total = total + x; INSERT INTO RETURN SELECT total FROM state; }
  EXPIRE:     { UPDATE state SET total = total - oldest().old; }
};

-- The same without: every tuple enters and leaves the window.
CREATE WINDOW AGGREGATE total_of_tuples(x DOUBLE) RETURNS DOUBLE {
  TABLE state(total DOUBLE);
  TABLE inwindow(old DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x); INSERT INTO RETURN VALUES (x); }
  ITERATE:    { UPDATE state SET total = total + x; INSERT INTO RETURN SELECT total FROM state; }
  EXPIRE:     { UPDATE state SET total = total - oldest().old; }
};
