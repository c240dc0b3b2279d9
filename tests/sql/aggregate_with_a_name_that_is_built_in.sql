-- BadAggregate
-- built-in names are taken
CREATE AGGREGATE median(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { UPDATE state SET v = v + x; }
};
