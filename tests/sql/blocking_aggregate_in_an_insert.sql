-- BlockingAggregate
-- an INSERT is bound like a SELECT
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
INSERT INTO FILE 'out/q' FORMAT csv SELECT max(speed) FROM traffic;
