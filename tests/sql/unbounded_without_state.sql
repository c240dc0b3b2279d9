-- SyntaxMistake
-- UNBOUNDED says what of
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT vehicle FROM traffic [LANDMARK SLIDE 1 HOUR UNBOUNDED];
