-- SyntaxMistake
-- RANGE of nothing
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT count(*) FROM traffic [RANGE SLIDE 1 MINUTE];
