-- A random sample of k tuples of a moving window (Babcock et al.; seed 003, section 4): those with the highest priorities, which
-- the caller draws. A tuple that k later ones beat can never be in the sample, and is forgotten at once; so only about
-- k log n of the n tuples of the window are kept. Of equal priorities the newer wins; a tuple that is beaten is then kept as long as
-- one with its priority may be in the sample. Tuples without a priority are left out.
--
-- example: SELECT priority_sample(price, rand(), 3) OVER (ROWS 999 PRECEDING) AS one_of_three FROM bid;
CREATE WINDOW AGGREGATE priority_sample(x DOUBLE, priority DOUBLE, k INT) RETURNS DOUBLE {
  TABLE clock(now BIGINT);
  TABLE held(x DOUBLE, priority DOUBLE, beaten INT, came BIGINT);
  TABLE inwindow(x DOUBLE, priority DOUBLE, k INT);
  INITIALIZE: {
    INSERT INTO clock VALUES (0);
    INSERT INTO held SELECT x, priority, 0, 0 WHERE priority IS NOT NULL;
    DELETE FROM inwindow WHERE is_newest() AND priority IS NULL;
    INSERT INTO RETURN SELECT x WHERE priority IS NOT NULL AND k > 0;
  }
  ITERATE: {
    UPDATE clock SET now = now + 1;
    UPDATE held SET beaten = beaten + 1 WHERE held.priority <= priority_sample.priority;
    INSERT INTO held SELECT x, priority, 0, now FROM clock WHERE priority IS NOT NULL;
    DELETE FROM held WHERE beaten >= k AND NOT EXISTS (SELECT 1 FROM held AS h WHERE h.priority = held.priority AND h.beaten < k);
    DELETE FROM inwindow WHERE priority IS NULL OR NOT EXISTS (SELECT 1 FROM held AS h WHERE h.priority = inwindow.priority);
    INSERT INTO RETURN SELECT h.x FROM held AS h
      WHERE (SELECT count(*) FROM held AS better
             WHERE better.priority > h.priority OR better.priority = h.priority AND better.came > h.came) < k;
  }
  EXPIRE: { DELETE FROM held WHERE came = (SELECT min(h.came) FROM held AS h); }
};
