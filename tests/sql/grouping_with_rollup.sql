-- NotSupported
-- WITH ROLLUP behind the columns
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*) FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id, vehicle WITH ROLLUP;
