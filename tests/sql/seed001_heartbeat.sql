-- ok
-- section 7: the existing measure, the largest difference of latencies
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT vehID, speed FROM Sensors [RANGE 300 SECONDS SLIDE 30 SECONDS WATTR ts HEARTBEAT];
