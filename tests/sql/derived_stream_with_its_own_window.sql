-- ok
-- a window over a derived stream
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE STREAM fast AS SELECT seg_id, speed, ts FROM traffic WHERE speed > 80;
SELECT seg_id, count(*) FROM fast [TUMBLE 5 MINUTES] GROUP BY seg_id;
