-- BadQuery
-- a column that the groups do not fix
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT vehicle, avg(speed) FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id;
