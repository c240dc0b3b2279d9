-- SyntaxMistake
-- nothing to explain
EXPLAIN;
