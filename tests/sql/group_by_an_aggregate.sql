-- BadQuery
-- a group cannot depend on what is grouped
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/traffic' FORMAT csv;
SELECT count(*) AS n FROM traffic [TUMBLE 5 MINUTES] GROUP BY max(speed);
