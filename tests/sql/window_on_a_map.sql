-- NotOrdered
-- nor has a map
CREATE STREAM wide (m MAP<STRING, INT>, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/wide';
SELECT count(*) FROM wide [TUMBLE 10 WATTR m];
