-- BadFrame
-- WHERE comes before the frames
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT speed FROM traffic WHERE avg(speed) OVER (ROWS 9 PRECEDING) > 80;
