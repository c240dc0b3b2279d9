-- ok
-- PER SOURCE, IDLE AFTER and AHEAD may stand in the bracket
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic [RANGE 300 SECONDS SLIDE 30 SECONDS SLACK 5 SECONDS PER SOURCE (seg_id) IDLE AFTER 30 SECONDS AHEAD 1 HOUR];
