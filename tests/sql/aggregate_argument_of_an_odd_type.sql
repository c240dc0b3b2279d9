-- TypeMismatch
-- bodies do not compute with arrays
CREATE AGGREGATE f(x ARRAY<INT>) RETURNS INT { INITIALIZE: { INSERT INTO RETURN VALUES (1); } ITERATE: { } };
