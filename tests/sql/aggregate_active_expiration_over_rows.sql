-- BadFrame
-- rows expire only when others come
CREATE WINDOW AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  TABLE inwindow(old DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { UPDATE state SET v = v + x; }
  EXPIRE: { UPDATE state SET v = 0; }
};
CREATE STREAM bid (item BIGINT, price DOUBLE, name STRING, ts TIMESTAMP) ORDER BY ts;
SELECT f(price) OVER (ROWS 5 PRECEDING ACTIVE EXPIRATION) FROM bid;
