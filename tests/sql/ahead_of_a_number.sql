-- WrongUnit
-- AHEAD compares event times with arrival times, by the clock
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, received TIMESTAMP, ts TIMESTAMP)
  ORDER BY milepost SLACK 5 AHEAD 1 HOUR SOURCE FILE 'data/traffic';
