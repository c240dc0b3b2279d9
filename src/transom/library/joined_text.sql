-- Texts one after another in the order of the stream, with a separator between them. NULLs are left out, as string_agg does; of
-- NULLs alone the result is NULL. Each text but the first stands behind its own separator; a separator that is NULL is empty.
-- It has no COMBINE: the tuples of a pane may come in the order they arrived, so that the result would depend on the slide.
-- The window version keeps each text behind its separator, whose length is in `gaps`, and cuts both off when they leave.
--
-- example: SELECT joined_text(bidder, ', ') OVER (ROWS 2 PRECEDING) AS last_three FROM bid;
CREATE AGGREGATE joined_text(s STRING, separator STRING) RETURNS STRING {
  TABLE state(whole STRING);
  INITIALIZE: { INSERT INTO state VALUES (s); }
  ITERATE: { UPDATE state SET whole = COALESCE(whole || COALESCE(separator, '') || s, whole, s); }
  TERMINATE: { INSERT INTO RETURN SELECT whole FROM state; }
};
CREATE WINDOW AGGREGATE joined_text(s STRING, separator STRING) RETURNS STRING {
  TABLE state(whole STRING, head BIGINT, tail BIGINT);
  TABLE gaps(place BIGINT, size INT);
  TABLE inwindow(part STRING, gap STRING);
  INITIALIZE: {
    INSERT INTO state VALUES (COALESCE(COALESCE(separator, '') || s, ''), 0, CASE WHEN s IS NULL THEN 0 ELSE 1 END);
    INSERT INTO gaps SELECT 0, COALESCE(length(separator), 0) WHERE s IS NOT NULL;
    INSERT INTO RETURN VALUES (s);
  }
  ITERATE: {
    INSERT INTO gaps SELECT tail, COALESCE(length(separator), 0) FROM state WHERE s IS NOT NULL;
    UPDATE state SET whole = whole || COALESCE(separator, '') || s, tail = tail + 1 WHERE s IS NOT NULL;
    INSERT INTO RETURN SELECT CASE WHEN head < tail THEN substring(whole, (SELECT size FROM gaps WHERE place = head) + 1) END
      FROM state;
  }
  EXPIRE: {
    DELETE FROM gaps WHERE place = (SELECT head FROM state) AND oldest().part IS NOT NULL;
    UPDATE state SET whole = substring(whole, COALESCE(length(oldest().gap), 0) + length(oldest().part) + 1), head = head + 1
      WHERE oldest().part IS NOT NULL;
  }
};
