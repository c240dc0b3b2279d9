-- ok
-- a constant expression for a point, and one for a length
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) FROM traffic [TUMBLE 1 HOUR ORIGIN TIMESTAMP '2026-01-01' + INTERVAL 6 HOURS WATTR ts];
SELECT avg(speed) FROM traffic [OFFSET INTERVAL 1 HOUR / 4 TUMBLE 1 HOUR];
SELECT avg(speed) FROM traffic [BAND 10 * 10 TO 20 * 10 SLIDE 10 WATTR milepost];
