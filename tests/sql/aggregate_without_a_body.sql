-- SyntaxMistake
-- an aggregate has a body
CREATE AGGREGATE f(x DOUBLE) RETURNS DOUBLE;
