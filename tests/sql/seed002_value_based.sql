-- ok
-- section 3.1: a window with a predicate on another attribute
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT count(*) FROM reading [RANGE 100 ROWS SLIDE 10 ROWS WHERE temperature > 40];
