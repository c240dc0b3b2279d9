-- ok
-- section 7: the average of the largest disorder
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT vehID, speed FROM Sensors [RANGE 300 SECONDS SLIDE 30 SECONDS WATTR ts HEARTBEAT AVERAGE];
