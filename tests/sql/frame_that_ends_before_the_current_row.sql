-- BadFrame
-- frames end at CURRENT ROW
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ROWS BETWEEN 10 PRECEDING AND 5 PRECEDING) FROM traffic;
