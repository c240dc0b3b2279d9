-- ok
-- different frames in one SELECT
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id,
       avg(speed) OVER (PARTITION BY seg_id ROWS 9 PRECEDING) AS short,
       avg(speed) OVER (PARTITION BY seg_id ROWS 99 PRECEDING) AS long,
       max(speed) OVER (ORDER BY ts RANGE 1 HOUR PRECEDING) AS peak
FROM traffic;
