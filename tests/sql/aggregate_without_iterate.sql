-- BadAggregate
-- a clause is missing
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE { TABLE state(v DOUBLE); INITIALIZE: { INSERT INTO state VALUES (x); } };
