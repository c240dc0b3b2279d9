-- WrongUnit
-- AHEAD compares event times with arrival times, and a number is none
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, received TIMESTAMP, ts TIMESTAMP)
  ORDER BY ts ARRIVAL BY milepost SOURCE FILE 'data/traffic';
SELECT count(*) FROM traffic [TUMBLE 5 MINUTES SLACK 5 SECONDS AHEAD 1 HOUR];
