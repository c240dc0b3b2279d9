-- ReadOnlyTable
-- ordinary tables are read, not written
CREATE TABLE limits (hi DOUBLE);
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE state(v DOUBLE, n BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE: { UPDATE limits SET hi = x; }
};
