-- ok
-- figure 6, the lower branch: the highway is congested below an average of 40 mph
CREATE STREAM Sensors (vehID STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT avg(speed) AS mph FROM Sensors [RANGE 300 SECONDS SLIDE 30 SECONDS WATTR ts] HAVING avg(speed) < 40;
