-- ok
-- experiment 2: the same with consistent slack
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, avg(speed) FROM traffic [RANGE 60 SECONDS SLIDE 10 SECONDS WATTR ts SLACK 10 SECONDS LATE CONSISTENT]
GROUP BY seg_id;
