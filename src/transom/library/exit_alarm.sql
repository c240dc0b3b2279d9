-- An alarm for each item that leaves with no authorised person ('ap') within the length of the window before or after it (seed
-- 003, example 18, by its definition). An item that meets a person in the window is fine; a person makes all waiting items
-- fine; an item whose time is up was alone.
--
-- example: SELECT exit_alarm(code, id) OVER (RANGE 5 SECONDS PRECEDING ACTIVE EXPIRATION) AS stolen, event_ts AS at FROM door;
CREATE WINDOW AGGREGATE exit_alarm(code STRING, id STRING) RETURNS STRING {
  TABLE inwindow(code STRING, id STRING);
  INITIALIZE: { }
  ITERATE: {
    DELETE FROM inwindow WHERE code = 'item' AND exit_alarm.code = 'ap';
    DELETE FROM inwindow WHERE code = 'item' AND is_newest() AND EXISTS (SELECT 1 FROM inwindow AS p WHERE p.code = 'ap');
  }
  EXPIRE: { INSERT INTO RETURN SELECT oldest().id WHERE oldest().code = 'item'; }
};
