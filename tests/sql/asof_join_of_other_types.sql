-- BadQuery
-- a text is equal to no number
CREATE STREAM a (k BIGINT, x BIGINT, s STRING, tags MAP<STRING, INT>, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'a' FORMAT json;
CREATE STREAM b (k BIGINT, y BIGINT, s STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'b' FORMAT json;
SELECT x FROM a ASOF JOIN b MATCH_CONDITION (a.ts >= b.ts) ON a.s = b.y;
