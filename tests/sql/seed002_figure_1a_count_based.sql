-- ok
-- figure 1a: the 6 most recent tuples
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT * FROM reading [RANGE 6 ROWS SLIDE 1 ROW];
