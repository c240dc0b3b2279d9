-- BadAggregate
-- an aggregate is called by a plain word
CREATE AGGREGATE `odd name`(x INT) RETURNS INT { INITIALIZE: { } ITERATE: { } };
