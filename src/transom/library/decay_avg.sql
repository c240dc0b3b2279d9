-- The average of a series in which old values count less and less (seed 003, example 8).
-- Non-blocking: it needs no window. NULLs leave it as it is.
--
-- example: SELECT item, decay_avg(price) AS recent FROM bid GROUP BY item;
CREATE AGGREGATE decay_avg(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x); INSERT INTO RETURN VALUES (x); }
  ITERATE: {
    UPDATE state SET v = COALESCE(0.9 * v + 0.1 * x, v, x);
    INSERT INTO RETURN SELECT v FROM state;
  }
};
