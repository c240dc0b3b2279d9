-- ok
-- section 2: a range of 5 minutes slid every minute
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT vehID, speed FROM Sensors [RANGE 5 MINUTES SLIDE 1 MINUTE WATTR ts];
