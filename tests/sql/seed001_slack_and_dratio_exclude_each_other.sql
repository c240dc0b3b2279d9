-- ConflictingClauses
-- section 4: the two ways to estimate punctuation are exclusive
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT vehID, speed FROM Sensors [RANGE 300 seconds SLIDE 30 seconds WATTR ts SLACK 10% DRATIO 1%];
