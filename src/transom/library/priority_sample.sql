-- A random sample of k tuples of a moving window (Babcock et al.; seed 003, section 4): those with the highest priorities, which
-- the caller draws. A tuple that k later ones beat can never be in the sample, and is forgotten at once; so only about
-- k log n of the n tuples of the window are kept.
--
-- example: SELECT priority_sample(price, rand(), 3) OVER (ROWS 999 PRECEDING) AS one_of_three FROM bid;
CREATE WINDOW AGGREGATE priority_sample(x DOUBLE, priority DOUBLE, k INT) RETURNS DOUBLE {
  TABLE held(x DOUBLE, priority DOUBLE, beaten INT);
  TABLE inwindow(x DOUBLE, priority DOUBLE, k INT);
  INITIALIZE: { INSERT INTO held VALUES (x, priority, 0); INSERT INTO RETURN VALUES (x); }
  ITERATE: {
    UPDATE held SET beaten = beaten + 1 WHERE held.priority < priority_sample.priority;
    DELETE FROM inwindow WHERE priority IN (SELECT h.priority FROM held AS h WHERE h.beaten >= priority_sample.k);
    DELETE FROM held WHERE beaten >= k;
    INSERT INTO held VALUES (x, priority, 0);
    INSERT INTO RETURN SELECT h.x FROM held AS h
      WHERE (SELECT count(*) FROM held AS better WHERE better.priority > h.priority) < k;
  }
  EXPIRE: { DELETE FROM held WHERE priority = oldest().priority; }
};
