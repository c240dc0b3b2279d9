-- BadQuery
-- a column that both sides have
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (seg_id STRING, miles DOUBLE);
SELECT seg_id, miles FROM traffic JOIN segment ON traffic.seg_id = segment.seg_id;
