-- ConflictingClauses
-- both say which tuples are in order among themselves
CREATE STREAM traffic (seg_id STRING, ts TIMESTAMP) ORDER BY ts ORDERED PER seg_id PER SOURCE (seg_id) SOURCE FILE 'data/traffic';
