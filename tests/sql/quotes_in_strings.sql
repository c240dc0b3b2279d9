-- ok
-- quotes, semicolons and brackets in strings
CREATE STREAM log (line STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/o\'brien; [1]' FORMAT csv OPTIONS (sep ';', quote '"');
SELECT line FROM log WHERE line LIKE '%it\'s; [RANGE 5]%';
