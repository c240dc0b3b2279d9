-- ConflictingClauses
-- a landmark has one fixed bound; with two it is a BAND
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [LANDMARK FROM TIMESTAMP '2026-01-01' UNTIL TIMESTAMP '2026-02-01' SLIDE 1 DAY];
