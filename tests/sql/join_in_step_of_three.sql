-- NotSupported
-- of three, USING stands for all of them
CREATE STREAM sensors (vehicle STRING, seg INT, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
CREATE STREAM active AS
  SELECT vehicle, seg, window_end FROM sensors [RANGE 30 SECONDS SLIDE 30 SECONDS] GROUP BY vehicle, seg;
CREATE STREAM congested AS
  SELECT seg, avg(speed) AS mean FROM sensors [RANGE 300 SECONDS SLIDE 30 SECONDS SLACK 10 SECONDS]
  GROUP BY seg HAVING avg(speed) < 40;
SELECT a.vehicle FROM active AS a JOIN active AS b USING (event_ts) JOIN congested AS c ON a.seg = c.seg;
