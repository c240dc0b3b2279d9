-- UnboundedState
-- distinct values of all tuples so far are kept for ever
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(DISTINCT vehicle) OVER (PARTITION BY seg_id ROWS UNBOUNDED PRECEDING) AS n FROM traffic;
