-- ok
-- a concrete view
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE VIEW current_speed AS SELECT seg_id, avg(speed) AS mean FROM traffic [RANGE 5 MINUTES SLIDE 1 MINUTE] GROUP BY seg_id;
