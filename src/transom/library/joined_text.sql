-- Texts one after another, with a separator between them. The window version cuts off what leaves.
--
-- example: SELECT joined_text(bidder, ', ') OVER (ROWS 2 PRECEDING) AS last_three FROM bid;
CREATE AGGREGATE joined_text(s STRING, separator STRING) RETURNS STRING {
  TABLE state(whole STRING, glue STRING);
  INITIALIZE: { INSERT INTO state VALUES (s, separator); }
  ITERATE: { UPDATE state SET whole = whole || separator || s; }
  TERMINATE: { INSERT INTO RETURN SELECT whole FROM state; }
  COMBINE: { UPDATE state SET whole = whole || glue || other.whole; }
};
CREATE WINDOW AGGREGATE joined_text(s STRING, separator STRING) RETURNS STRING {
  TABLE state(whole STRING);
  TABLE inwindow(part STRING, gap STRING);
  INITIALIZE: { INSERT INTO state VALUES (s); INSERT INTO RETURN VALUES (s); }
  ITERATE: {
    UPDATE state SET whole = CASE WHEN length(whole) > 0 THEN whole || separator || s ELSE s END;
    INSERT INTO RETURN SELECT whole FROM state;
  }
  EXPIRE: { UPDATE state SET whole = substring(whole, length(oldest().part) + length(oldest().gap) + 1); }
};
