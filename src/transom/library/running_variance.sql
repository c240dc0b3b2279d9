-- The variance of a population, kept as count, mean and squared deviations (Welford). NULLs are left out, as var_pop does.
-- COMBINE joins two stretches (Chan et al.); the window version takes the value that leaves out again. What that rounds off is of
-- the order of the squared deviations there were, which `lost` adds up: where they are small against it, as when the one large
-- value has left, or after a million tuples, and where they have overflowed, they are taken from inwindow anew.
--
-- example: SELECT item, running_variance(price) OVER (PARTITION BY item ROWS 99 PRECEDING) AS spread FROM bid;
CREATE AGGREGATE running_variance(x DOUBLE) RETURNS DOUBLE {
  TABLE state(n BIGINT, mean DOUBLE, m2 DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (CASE WHEN x IS NULL THEN 0 ELSE 1 END, COALESCE(x, 0.0), COALESCE(x - x, 0.0)); }
  ITERATE: {
    UPDATE state SET n = n + 1, mean = mean + (x - mean) / (n + 1),
      m2 = m2 + (x - mean) * (x - (mean + (x - mean) / (n + 1))) WHERE x IS NOT NULL;
  }
  TERMINATE: { INSERT INTO RETURN SELECT CASE WHEN n > 0 THEN m2 / n END FROM state; }
  COMBINE: {
    UPDATE state SET n = n + other.n, mean = (n * mean + other.n * other.mean) / (n + other.n),
      m2 = m2 + other.m2 + (other.mean - mean) * (other.mean - mean) * n * other.n / (n + other.n) WHERE other.n > 0;
  }
};
CREATE WINDOW AGGREGATE running_variance(x DOUBLE) RETURNS DOUBLE {
  TABLE state(n BIGINT, mean DOUBLE, m2 DOUBLE, lost DOUBLE);
  TABLE inwindow(v DOUBLE);
  INITIALIZE: {
    INSERT INTO state VALUES (CASE WHEN x IS NULL THEN 0 ELSE 1 END, COALESCE(x, 0.0), COALESCE(x - x, 0.0), 0.0);
    INSERT INTO RETURN VALUES (x - x);
  }
  ITERATE: {
    UPDATE state SET n = n + 1, mean = mean + (x - mean) / (n + 1),
      m2 = m2 + (x - mean) * (x - (mean + (x - mean) / (n + 1))) WHERE x IS NOT NULL;
    UPDATE state SET mean = (SELECT avg(v) FROM inwindow), m2 = -1.0, lost = 0.0 WHERE n > 0 AND (m2 < 1e-6 * lost OR m2 > 1e300);
    UPDATE state SET m2 = (SELECT sum((v - mean) * (v - mean)) FROM inwindow) WHERE m2 < 0.0;
    INSERT INTO RETURN SELECT CASE WHEN n > 0 THEN m2 / n END FROM state;
  }
  EXPIRE: {
    UPDATE state SET n = n - 1, mean = CASE WHEN n > 1 THEN mean - (oldest().v - mean) / (n - 1) ELSE 0.0 END,
      m2 = CASE WHEN n > 2 THEN GREATEST(m2 - (oldest().v - mean) * (oldest().v - (mean - (oldest().v - mean) / (n - 1))), 0.0)
                ELSE 0.0 END,
      lost = CASE WHEN n > 1 THEN lost + m2 ELSE 0.0 END
      WHERE oldest().v IS NOT NULL;
  }
};
