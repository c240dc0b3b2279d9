-- ok
-- every way to call an aggregate over a frame
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { UPDATE state SET v = v + x; }
  TERMINATE: { INSERT INTO RETURN SELECT v FROM state; }
};
CREATE STREAM bid (item BIGINT, price DOUBLE, name STRING, ts TIMESTAMP) ORDER BY ts;
SELECT f(price) OVER (ROWS UNBOUNDED PRECEDING) AS a, f(price) OVER (ROWS 9 PRECEDING) AS b,
  f(price + 1) OVER (PARTITION BY item ORDER BY ts RANGE 5 MINUTES PRECEDING) AS c, f(item) OVER (ROWS 0 PRECEDING) AS d FROM bid;
SELECT item, f(price) * 2 AS twice, count(*) AS n FROM bid [RANGE 10 MINUTES SLIDE 1 MINUTE] GROUP BY item HAVING f(price) > 3;
SELECT exit_alarm(name, name) OVER (RANGE 5 SECONDS PRECEDING ACTIVE EXPIRATION) AS stolen, event_ts AS at FROM bid;
SELECT decay_avg(price) + 1 AS more FROM bid;
