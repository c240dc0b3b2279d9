-- ok
-- figure 6, the upper branch: the vehicles of the latest 30 seconds
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT DISTINCT vehID FROM Sensors [RANGE 30 SECONDS SLIDE 30 SECONDS WATTR ts];
