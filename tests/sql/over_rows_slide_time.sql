-- BadFrame
-- rows that slide in time have no range on the order column
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) OVER (ROWS 9 PRECEDING SLIDE 5 SECONDS) AS mean FROM traffic;
