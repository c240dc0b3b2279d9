-- ok
-- window_start, window_end, wid and event_ts can be named
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT window_start, window_end, wid, event_ts, count(*) AS n FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE LAG 10 SECONDS];
