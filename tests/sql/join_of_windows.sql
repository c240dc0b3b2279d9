-- ok
-- a join between windows
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE STREAM incident (seg_id STRING, ts TIMESTAMP) ORDER BY ts SOURCE KAFKA 'incident';
SELECT t.seg_id FROM traffic [RANGE 5 MINUTES] AS t JOIN incident [RANGE 1 HOUR] AS i ON t.seg_id = i.seg_id TIMESTAMP MAX;
