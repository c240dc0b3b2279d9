-- ok
-- tuples of an extent, sorted by a column that is not selected
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT vehicle, speed FROM traffic [RANGE 100 ROWS SLIDE 100 ROWS] ORDER BY milepost, speed DESC NULLS LAST;
