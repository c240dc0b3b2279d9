-- ok
-- section 7: flows arrive by end time, the window is on start time
CREATE STREAM flow (src STRING, dst STRING, bytes BIGINT, start_time TIMESTAMP, end_time TIMESTAMP)
  ORDER BY end_time
  SLACK 60 SECONDS
  SOURCE KAFKA 'netflow' OPTIONS (kafka.bootstrap.servers 'localhost:9092');
SELECT src, sum(bytes) AS total FROM flow [RANGE 5 MINUTES SLIDE 1 MINUTE WATTR start_time] GROUP BY src;
