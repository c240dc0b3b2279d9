-- BadAggregate
-- only window versions expire
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { UPDATE state SET v = v + x; }
  EXPIRE: { UPDATE state SET v = 0; }
};
