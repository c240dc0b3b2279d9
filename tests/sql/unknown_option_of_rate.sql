-- BadOption
-- noticed while the query is bound, with the nearest name
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts
  SOURCE RATE OPTIONS (rowPerSecond '5');
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
