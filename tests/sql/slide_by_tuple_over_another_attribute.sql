-- ConflictingClauses
-- tuples are counted by arrival or by rank
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE 5 MINUTES RATTR ts SLIDE 10 ROWS SATTR milepost];
