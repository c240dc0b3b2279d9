-- UnboundedState
-- the time of a tuple is no instant of evaluation
CREATE STREAM sensors (vehicle STRING, seg INT, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE SOCKET 'localhost:5550';
CREATE STREAM active AS
  SELECT vehicle, seg, window_end FROM sensors [RANGE 30 SECONDS SLIDE 30 SECONDS] GROUP BY vehicle, seg;
CREATE STREAM congested AS
  SELECT seg, avg(speed) AS mean FROM sensors [RANGE 300 SECONDS SLIDE 30 SECONDS SLACK 10 SECONDS]
  GROUP BY seg HAVING avg(speed) < 40;
CREATE STREAM latest AS SELECT seg, max(ts) AS at FROM sensors [TUMBLE 30 SECONDS] GROUP BY seg;
SELECT vehicle FROM active JOIN latest ON active.seg = latest.seg AND active.window_end = latest.at;
