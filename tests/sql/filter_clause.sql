-- ok
-- FILTER belongs to the aggregate: its condition may name columns that are not grouped
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, count(*) FILTER (WHERE speed > 50) AS fast FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id;
