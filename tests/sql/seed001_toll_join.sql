-- NotSupported
-- figure 6 as a whole joins two windows
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT a.vehID
FROM Sensors [RANGE 30 SECONDS SLIDE 30 SECONDS] AS a
JOIN Sensors [RANGE 300 SECONDS SLIDE 30 SECONDS] AS b ON a.vehID = b.vehID;
