-- BadOption
-- noticed while the query is bound, with the nearest name
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts
  SOURCE FILE 'data' FORMAT xml;
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
