-- ok
-- Q1: vehicles whose average speed over the latest 5 minutes is above 80
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT vehID, avg(speed) AS speed
FROM Sensors [RANGE 300 seconds
              SLIDE 30 seconds
              WATTR ts]
GROUP BY vehID
HAVING AVG(speed) > 80;
