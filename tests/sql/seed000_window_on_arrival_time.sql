-- ok
-- section 3.2: windows over the timestamp the system assigns
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE 300 SECONDS SLIDE 60 SECONDS WATTR arrival_ts];
