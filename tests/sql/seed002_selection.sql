-- ok
-- windowed selection, atomic and conjunctive conditions
CREATE STREAM reading (sensor STRING, room STRING, temperature DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/reading' FORMAT json;
SELECT * FROM reading [RANGE 1 HOUR SLIDE 1 MINUTE] WHERE sensor = 's1';
SELECT * FROM reading [RANGE 1 HOUR SLIDE 1 MINUTE] WHERE sensor = room AND temperature >= 20 AND temperature <> 30;
