-- ok
-- OPTIONS go to Spark's reader
CREATE STREAM log (line STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/log' FORMAT json OPTIONS (maxFilesPerTrigger '1', latestFirst 'false', pathGlobFilter '*.json');
SELECT count(*) FROM log [TUMBLE 1 MINUTE];
