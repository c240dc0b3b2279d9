-- UnknownColumn
-- rows are ordered by what is selected
CREATE STREAM a (k BIGINT, x BIGINT, tags MAP<STRING, INT>, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'a' FORMAT json;
SELECT x FROM a [TUMBLE 5 MINUTES] ORDER BY k LIMIT 3;
