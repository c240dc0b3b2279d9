-- ok
-- section 3.2: the most recent N of each combination of grouping attributes
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT sensor, room, temperature FROM reading [RANGE 10 ROWS SLIDE 1 ROW PATTR sensor, room];
