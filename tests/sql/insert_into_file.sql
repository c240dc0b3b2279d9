-- ok
-- results into files
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
INSERT INTO FILE 'out/q1' FORMAT jsonl SELECT seg_id, max(speed) AS hi FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id;
