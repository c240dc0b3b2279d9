-- ok
-- a script with several sinks
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
INSERT INTO FILE 'out/a' FORMAT csv OPTIONS (header 'true') SELECT * FROM traffic WHERE speed > 80;
INSERT INTO FILE 'out/b' FORMAT parquet SELECT seg_id, count(*) AS n FROM traffic [TUMBLE 1 HOUR] GROUP BY seg_id;
