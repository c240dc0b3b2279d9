-- MissingClause
-- nothing bounds the state
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE if(hour(window_end) < 6, INTERVAL 1 HOUR, INTERVAL 1 MINUTE) SLIDE 1 MINUTE];
