-- ok
-- subqueries over windows, joined where their windows end
CREATE STREAM sensors (vehicle STRING, seg INT, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
SELECT a.vehicle, c.mean, a.at
FROM (SELECT vehicle, seg, window_end AS at FROM sensors [TUMBLE 30 SECONDS] GROUP BY vehicle, seg) AS a
JOIN (SELECT seg, avg(speed) AS mean, window_end AS at FROM sensors [RANGE 5 MINUTES SLIDE 30 SECONDS] GROUP BY seg) AS c
ON a.seg = c.seg AND a.at = c.at
WHERE c.mean < 40;
