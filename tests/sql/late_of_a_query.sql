-- ok
-- the tuples a query had to leave out, with the frontier that excluded them
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE STREAM q AS SELECT seg_id, max(speed) AS hi FROM traffic [TUMBLE 5 MINUTES SLACK 10 SECONDS] GROUP BY seg_id;
CREATE STREAM late_traffic AS LATE OF q;
SELECT seg_id, speed, ts, frontier FROM late_traffic;
