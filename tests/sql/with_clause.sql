-- NotSupported
-- WITH is named and refused
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
WITH fast AS (SELECT * FROM traffic WHERE speed > 80) SELECT seg_id FROM fast;
