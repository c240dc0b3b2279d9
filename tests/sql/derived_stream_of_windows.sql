-- ok
-- the results of windows are a stream in the order of event_ts
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE STREAM minutely AS SELECT seg_id, avg(speed) AS mean FROM traffic [TUMBLE 1 MINUTE] GROUP BY seg_id;
SELECT seg_id, max(mean) AS peak FROM minutely [RANGE 1 HOUR SLIDE 10 MINUTES] GROUP BY seg_id;
