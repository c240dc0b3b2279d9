-- ok
-- CREATE TABLE AS names a view of another table
CREATE TABLE segment (id STRING, road STRING, miles DOUBLE);
CREATE TABLE long_segment AS SELECT id, road FROM segment WHERE miles > 10;
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT seg_id, road FROM traffic JOIN long_segment ON seg_id = id;
