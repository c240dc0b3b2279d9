-- ok
-- section 5: the controller of the paper, for delays that are normal
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT vehID, speed FROM Sensors [RANGE 300 SECONDS SLIDE 30 SECONDS WATTR ts DRATIO 1% NORMAL];
