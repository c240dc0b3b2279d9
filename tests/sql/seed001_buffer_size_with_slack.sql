-- ok
-- section 4: BFSIZE may also stand with SLACK
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT vehID, speed FROM Sensors [RANGE 300 seconds SLIDE 30 seconds WATTR ts SLACK 10% BFSIZE 100];
