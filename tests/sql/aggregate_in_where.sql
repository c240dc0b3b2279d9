-- BadQuery
-- WHERE sees tuples, not groups
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*) FROM traffic [TUMBLE 5 MINUTES] WHERE max(speed) > 80 GROUP BY seg_id;
