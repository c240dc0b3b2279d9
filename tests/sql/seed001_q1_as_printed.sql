-- BadQuery
-- Q1 as it is printed selects speed, which is neither grouped nor aggregated
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT vehID, speed
FROM Sensors [RANGE 300 seconds SLIDE 30 seconds WATTR ts]
GROUP BY vehID
HAVING AVG(speed) > 80;
