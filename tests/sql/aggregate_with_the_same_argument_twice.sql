-- BadAggregate
-- arguments have names of their own
CREATE AGGREGATE f(x DOUBLE, X BIGINT) RETURNS DOUBLE { INITIALIZE: { } ITERATE: { } TERMINATE: { INSERT INTO RETURN VALUES (1.0); } };
