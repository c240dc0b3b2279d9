-- About how often an item occurs in a window: the counting filter of seed 003, section 6. There are three hash tables of counts;
-- an arrival adds one in each, an expiry takes one off, and the smallest of an item's counts is never below the truth.
--
-- example: SELECT item, frequency(item) OVER (ROWS 999 PRECEDING) AS n FROM bid;
CREATE WINDOW AGGREGATE frequency(item BIGINT) RETURNS BIGINT {
  TABLE first(slot BIGINT, n BIGINT);
  TABLE second(slot BIGINT, n BIGINT);
  TABLE third(slot BIGINT, n BIGINT);
  TABLE inwindow(old BIGINT);
  INITIALIZE: {
    INSERT INTO first VALUES (abs(item * 31 + 7) % 1021, 1);
    INSERT INTO second VALUES (abs(item * 37 + 11) % 1019, 1);
    INSERT INTO third VALUES (abs(item * 41 + 13) % 1013, 1);
    INSERT INTO RETURN VALUES (1);
  }
  ITERATE: {
    INSERT INTO first SELECT abs(item * 31 + 7) % 1021, 0
      WHERE NOT EXISTS (SELECT 1 FROM first WHERE slot = abs(item * 31 + 7) % 1021);
    INSERT INTO second SELECT abs(item * 37 + 11) % 1019, 0
      WHERE NOT EXISTS (SELECT 1 FROM second WHERE slot = abs(item * 37 + 11) % 1019);
    INSERT INTO third SELECT abs(item * 41 + 13) % 1013, 0
      WHERE NOT EXISTS (SELECT 1 FROM third WHERE slot = abs(item * 41 + 13) % 1013);
    UPDATE first SET n = n + 1 WHERE slot = abs(item * 31 + 7) % 1021;
    UPDATE second SET n = n + 1 WHERE slot = abs(item * 37 + 11) % 1019;
    UPDATE third SET n = n + 1 WHERE slot = abs(item * 41 + 13) % 1013;
    INSERT INTO RETURN SELECT LEAST(a.n, b.n, c.n) FROM first AS a, second AS b, third AS c
      WHERE a.slot = abs(item * 31 + 7) % 1021 AND b.slot = abs(item * 37 + 11) % 1019 AND c.slot = abs(item * 41 + 13) % 1013;
  }
  EXPIRE: {
    UPDATE first SET n = n - 1 WHERE slot = abs(oldest().old * 31 + 7) % 1021;
    UPDATE second SET n = n - 1 WHERE slot = abs(oldest().old * 37 + 11) % 1019;
    UPDATE third SET n = n - 1 WHERE slot = abs(oldest().old * 41 + 13) % 1013;
  }
};
