-- ok
-- derived streams stack
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE STREAM fast AS SELECT * FROM traffic WHERE speed > 80;
CREATE STREAM very_fast AS SELECT * FROM fast WHERE speed > 120;
SELECT vehicle, speed FROM very_fast;
