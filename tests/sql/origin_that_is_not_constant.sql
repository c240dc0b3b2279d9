-- BadExpression
-- the time of a start is no constant: a query that resumes would have other windows
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(speed) FROM traffic [TUMBLE 1 HOUR ORIGIN current_timestamp() WATTR ts];
