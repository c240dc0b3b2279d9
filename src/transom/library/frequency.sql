-- About how often an item occurs in a window: the counting filter of seed 003, section 6. There are three hash tables of counts;
-- an arrival adds one in each, an expiry takes one off, and the smallest of an item's counts is never below the truth.
--
-- example: SELECT item, frequency(item) OVER (ROWS 999 PRECEDING) AS n FROM bid;
CREATE WINDOW AGGREGATE frequency(item BIGINT) RETURNS BIGINT {
  TABLE counts(h INT, slot BIGINT, n BIGINT);
  TABLE inwindow(old BIGINT);
  INITIALIZE: {
    INSERT INTO counts VALUES (1, abs(item * 31 + 7) % 1021, 1), (2, abs(item * 37 + 11) % 1019, 1), (3, abs(item * 41 + 13) % 1013, 1);
    INSERT INTO RETURN VALUES (1);
  }
  ITERATE: {
    INSERT INTO counts SELECT 1, abs(item * 31 + 7) % 1021, 0
      WHERE NOT EXISTS (SELECT 1 FROM counts WHERE h = 1 AND slot = abs(item * 31 + 7) % 1021);
    INSERT INTO counts SELECT 2, abs(item * 37 + 11) % 1019, 0
      WHERE NOT EXISTS (SELECT 1 FROM counts WHERE h = 2 AND slot = abs(item * 37 + 11) % 1019);
    INSERT INTO counts SELECT 3, abs(item * 41 + 13) % 1013, 0
      WHERE NOT EXISTS (SELECT 1 FROM counts WHERE h = 3 AND slot = abs(item * 41 + 13) % 1013);
    UPDATE counts SET n = n + 1 WHERE h = 1 AND slot = abs(item * 31 + 7) % 1021;
    UPDATE counts SET n = n + 1 WHERE h = 2 AND slot = abs(item * 37 + 11) % 1019;
    UPDATE counts SET n = n + 1 WHERE h = 3 AND slot = abs(item * 41 + 13) % 1013;
    INSERT INTO RETURN SELECT LEAST(
      (SELECT n FROM counts WHERE h = 1 AND slot = abs(item * 31 + 7) % 1021),
      (SELECT n FROM counts WHERE h = 2 AND slot = abs(item * 37 + 11) % 1019),
      (SELECT n FROM counts WHERE h = 3 AND slot = abs(item * 41 + 13) % 1013));
  }
  EXPIRE: {
    UPDATE counts SET n = n - 1 WHERE h = 1 AND slot = abs(oldest().old * 31 + 7) % 1021;
    UPDATE counts SET n = n - 1 WHERE h = 2 AND slot = abs(oldest().old * 37 + 11) % 1019;
    UPDATE counts SET n = n - 1 WHERE h = 3 AND slot = abs(oldest().old * 41 + 13) % 1013;
  }
};
