-- ok
-- section 3.2: the N most recent by timestamp, not by arrival
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT * FROM reading [RANGE 6 ROWS SLIDE 1 ROW WATTR rank(ts)];
