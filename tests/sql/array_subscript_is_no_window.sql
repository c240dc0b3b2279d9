-- ok
-- brackets behind an expression are Spark's subscripts
CREATE STREAM wide (samples ARRAY<DOUBLE>, names MAP<STRING, STRING>, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/wide';
SELECT samples[0] AS first_value, names['a'] AS a FROM wide;
