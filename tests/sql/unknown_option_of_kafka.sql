-- BadOption
-- noticed while the query is bound, with the nearest name
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts
  SOURCE KAFKA 'traffic' OPTIONS (bootstrap_servers 'localhost:9092');
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
