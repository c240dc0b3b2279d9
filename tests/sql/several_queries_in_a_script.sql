-- ok
-- statements are bound in order
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [TUMBLE 1 MINUTE];
SELECT count(*) FROM traffic [TUMBLE 1 HOUR];
CREATE STREAM fast AS SELECT * FROM traffic WHERE speed > 80;
SELECT count(*) FROM fast [TUMBLE 1 MINUTE];
