-- ok
-- scalar expressions are Spark's
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT upper(seg_id) AS id, CASE WHEN speed > 80 THEN 'fast' ELSE 'slow' END AS class, date_trunc('hour', ts) AS hour,
       coalesce(milepost, 0.0) AS mile, CAST(speed AS INT) AS mph, concat(seg_id, '-', vehicle) AS label
FROM traffic
WHERE seg_id RLIKE '^s[0-9]+$' AND ts >= TIMESTAMP '2026-01-01' AND speed BETWEEN 1 AND 200 AND vehicle IS NOT NULL;
