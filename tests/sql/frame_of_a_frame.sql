-- BadFrame
-- frames do not nest; a subquery does it
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT sum(avg(speed) OVER (ROWS 9 PRECEDING)) OVER (ROWS 9 PRECEDING) FROM traffic;
