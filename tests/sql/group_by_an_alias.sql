-- ok
-- GROUP BY the alias of an expression, as in Spark
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/traffic' FORMAT csv;
SELECT upper(seg_id) AS seg, count(*) AS n FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg HAVING upper(seg_id) <> 'S1';
