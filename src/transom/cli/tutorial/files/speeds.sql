-- A stream: readings of speed on road segments, from a folder of CSV files.
-- Readings arrive up to two minutes out of order. Results wait 20 seconds for those that are behind.
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP)
  ORDER BY ts SLACK 20 SECONDS
  SOURCE FILE 'readings' FORMAT csv;

-- The lowest and highest speed of each segment over the past 5 minutes, every minute.
CREATE STREAM speeds AS
  SELECT seg_id, min(speed) AS lo, max(speed) AS hi, count(*) AS n, window_end
  FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE] GROUP BY seg_id;

-- The readings that came too late for at least one of these windows.
CREATE STREAM missed AS LATE OF speeds;

INSERT INTO FILE 'out/speeds' FORMAT jsonl SELECT * FROM speeds;
INSERT INTO FILE 'out/missed' FORMAT jsonl SELECT * FROM missed;
