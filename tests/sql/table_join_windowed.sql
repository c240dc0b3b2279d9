-- ok
-- the tuples of each extent joined with a table, then grouped by a column of the table
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (id STRING, road STRING);
SELECT road, avg(speed) AS mean FROM traffic [TUMBLE 5 MINUTES] JOIN segment ON seg_id = id GROUP BY road;
