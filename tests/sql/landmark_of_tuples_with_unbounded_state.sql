-- ok
-- the tuples of a landmark, kept for ever as is asked for
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT vehicle, speed FROM traffic [LANDMARK SLIDE 1 HOUR UNBOUNDED STATE];
