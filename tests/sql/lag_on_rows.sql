-- ConflictingClauses
-- LAG belongs to windows on an attribute
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE 100 ROWS SLIDE 10 ROWS LAG 1 MINUTE];
