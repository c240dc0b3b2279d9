-- A: the counting filter of seed 003, section 6, with its three hash tables; EXPIRE takes off what leaves the window.
CREATE WINDOW AGGREGATE frequency_a(item BIGINT) RETURNS BIGINT {
  TABLE first(slot BIGINT, n BIGINT);
  TABLE second(slot BIGINT, n BIGINT);
  TABLE third(slot BIGINT, n BIGINT);
  TABLE inwindow(old BIGINT);
  INITIALIZE: {
    INSERT INTO first VALUES (item % 1021, 1);
    INSERT INTO second VALUES (item % 1019, 1);
    INSERT INTO third VALUES (item % 1013, 1);
    INSERT INTO RETURN VALUES (1);
  }
  ITERATE: {
    INSERT INTO first SELECT item % 1021, 0 WHERE NOT EXISTS (SELECT 1 FROM first WHERE slot = item % 1021);
    INSERT INTO second SELECT item % 1019, 0 WHERE NOT EXISTS (SELECT 1 FROM second WHERE slot = item % 1019);
    INSERT INTO third SELECT item % 1013, 0 WHERE NOT EXISTS (SELECT 1 FROM third WHERE slot = item % 1013);
    UPDATE first SET n = n + 1 WHERE slot = item % 1021;
    UPDATE second SET n = n + 1 WHERE slot = item % 1019;
    UPDATE third SET n = n + 1 WHERE slot = item % 1013;
    INSERT INTO RETURN SELECT LEAST(a.n, b.n, c.n) FROM first AS a, second AS b, third AS c
      WHERE a.slot = item % 1021 AND b.slot = item % 1019 AND c.slot = item % 1013;
  }
  EXPIRE: {
    UPDATE first SET n = n - 1 WHERE slot = oldest().old % 1021;
    UPDATE second SET n = n - 1 WHERE slot = oldest().old % 1019;
    UPDATE third SET n = n - 1 WHERE slot = oldest().old % 1013;
  }
};

-- C: the same filter, with the window in a table of its own.
CREATE AGGREGATE frequency_c(item BIGINT, length BIGINT) RETURNS BIGINT {
  TABLE first(slot BIGINT, n BIGINT);
  TABLE second(slot BIGINT, n BIGINT);
  TABLE third(slot BIGINT, n BIGINT);
  TABLE state(seen BIGINT, gone BIGINT);
  TABLE kept(place BIGINT, old BIGINT);
  INITIALIZE: {
    INSERT INTO state VALUES (1, NULL);
    INSERT INTO kept VALUES (1, item);
    INSERT INTO first VALUES (item % 1021, 1);
    INSERT INTO second VALUES (item % 1019, 1);
    INSERT INTO third VALUES (item % 1013, 1);
    INSERT INTO RETURN VALUES (1);
  }
  ITERATE: {
    UPDATE state SET seen = seen + 1;
    INSERT INTO kept SELECT seen, item FROM state;
    UPDATE state SET gone = (SELECT max(k.old) FROM kept AS k WHERE k.place = seen - length);
    DELETE FROM kept WHERE place = (SELECT s.seen - length FROM state AS s);
    UPDATE first SET n = n - 1 WHERE slot = (SELECT s.gone % 1021 FROM state AS s);
    UPDATE second SET n = n - 1 WHERE slot = (SELECT s.gone % 1019 FROM state AS s);
    UPDATE third SET n = n - 1 WHERE slot = (SELECT s.gone % 1013 FROM state AS s);
    INSERT INTO first SELECT item % 1021, 0 WHERE NOT EXISTS (SELECT 1 FROM first WHERE slot = item % 1021);
    INSERT INTO second SELECT item % 1019, 0 WHERE NOT EXISTS (SELECT 1 FROM second WHERE slot = item % 1019);
    INSERT INTO third SELECT item % 1013, 0 WHERE NOT EXISTS (SELECT 1 FROM third WHERE slot = item % 1013);
    UPDATE first SET n = n + 1 WHERE slot = item % 1021;
    UPDATE second SET n = n + 1 WHERE slot = item % 1019;
    UPDATE third SET n = n + 1 WHERE slot = item % 1013;
    INSERT INTO RETURN SELECT LEAST(a.n, b.n, c.n) FROM first AS a, second AS b, third AS c
      WHERE a.slot = item % 1021 AND b.slot = item % 1019 AND c.slot = item % 1013;
  }
};

-- D: all of the window again for each tuple.
CREATE WINDOW AGGREGATE frequency_d(item BIGINT) RETURNS BIGINT {
  TABLE inwindow(old BIGINT);
  INITIALIZE: { INSERT INTO RETURN VALUES (1); }
  ITERATE:    { INSERT INTO RETURN SELECT count(*) FROM inwindow WHERE old = item; }
};
