-- The variance of a population, kept as count, mean and squared deviations (Welford), so that nothing cancels out.
-- COMBINE joins two stretches (Chan et al.); the window version takes the value that leaves out again.
--
-- example: SELECT item, running_variance(price) OVER (PARTITION BY item ROWS 99 PRECEDING) AS spread FROM bid;
CREATE AGGREGATE running_variance(x DOUBLE) RETURNS DOUBLE {
  TABLE state(n BIGINT, mean DOUBLE, m2 DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (1, x, 0.0); }
  ITERATE: {
    UPDATE state SET n = n + 1, mean = mean + (x - mean) / (n + 1),
      m2 = m2 + (x - mean) * (x - (mean + (x - mean) / (n + 1)));
  }
  TERMINATE: { INSERT INTO RETURN SELECT m2 / n FROM state; }
  COMBINE: {
    UPDATE state SET n = n + other.n, mean = (n * mean + other.n * other.mean) / (n + other.n),
      m2 = m2 + other.m2 + (other.mean - mean) * (other.mean - mean) * n * other.n / (n + other.n);
  }
};
CREATE WINDOW AGGREGATE running_variance(x DOUBLE) RETURNS DOUBLE {
  TABLE state(n BIGINT, mean DOUBLE, m2 DOUBLE);
  TABLE inwindow(v DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (1, x, 0.0); INSERT INTO RETURN VALUES (0.0); }
  ITERATE: {
    UPDATE state SET n = n + 1, mean = mean + (x - mean) / (n + 1),
      m2 = m2 + (x - mean) * (x - (mean + (x - mean) / (n + 1)));
    INSERT INTO RETURN SELECT m2 / n FROM state;
  }
  EXPIRE: {
    UPDATE state SET n = n - 1, mean = CASE WHEN n > 1 THEN mean - (oldest().v - mean) / (n - 1) ELSE 0.0 END,
      m2 = CASE WHEN n > 2 THEN GREATEST(m2 - (oldest().v - mean) * (oldest().v - (mean - (oldest().v - mean) / (n - 1))), 0.0)
                ELSE 0.0 END;
  }
};
