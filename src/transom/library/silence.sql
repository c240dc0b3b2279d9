-- Nobody has come for the length of the window: when the last tuple that was left in it expires, it is returned (seed 003,
-- section 5.4).
--
-- example: SELECT silence(sensor) OVER (RANGE 5 MINUTES PRECEDING ACTIVE EXPIRATION) AS last_seen, event_ts AS at FROM reading;
CREATE WINDOW AGGREGATE silence(who STRING) RETURNS STRING {
  TABLE inwindow(who STRING);
  INITIALIZE: { }
  ITERATE: { }
  EXPIRE: { INSERT INTO RETURN SELECT oldest().who WHERE (SELECT count(*) FROM inwindow) = 1; }
};
