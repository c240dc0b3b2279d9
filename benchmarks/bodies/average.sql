-- A: the window is the system's, and EXPIRE takes off what leaves it.
CREATE WINDOW AGGREGATE average_a(x DOUBLE) RETURNS DOUBLE {
  TABLE state(total DOUBLE, n BIGINT);
  TABLE inwindow(old DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); INSERT INTO RETURN VALUES (x); }
  ITERATE:    { UPDATE state SET total = total + x, n = n + 1; INSERT INTO RETURN SELECT total / n FROM state; }
  EXPIRE:     { UPDATE state SET total = total - oldest().old, n = n - 1; }
};

-- C: the aggregate keeps the window in a table of its own.
CREATE AGGREGATE average_c(x DOUBLE, length BIGINT) RETURNS DOUBLE {
  TABLE state(total DOUBLE, n BIGINT, seen BIGINT);
  TABLE kept(place BIGINT, old DOUBLE);
  INITIALIZE: {
    INSERT INTO state VALUES (x, 1, 1);
    INSERT INTO kept VALUES (1, x);
    INSERT INTO RETURN VALUES (x);
  }
  ITERATE: {
    UPDATE state SET total = total + x, n = n + 1, seen = seen + 1;
    INSERT INTO kept SELECT seen, x FROM state;
    UPDATE state SET total = total - (SELECT max(k.old) FROM kept AS k WHERE k.place = seen - length), n = n - 1 WHERE n > length;
    DELETE FROM kept WHERE place = (SELECT s.seen - length FROM state AS s);
    INSERT INTO RETURN SELECT total / n FROM state;
  }
};

-- D: all of the window again for each tuple.
CREATE WINDOW AGGREGATE average_d(x DOUBLE) RETURNS DOUBLE {
  TABLE inwindow(old DOUBLE);
  INITIALIZE: { INSERT INTO RETURN VALUES (x); }
  ITERATE:    { INSERT INTO RETURN SELECT avg(old) FROM inwindow; }
};
