-- ok
-- disorder clauses between ORDER BY and SOURCE
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, ts TIMESTAMP, received TIMESTAMP)
  ORDER BY ts
  DRATIO 1% BFSIZE 100000 PER SOURCE (seg_id) IDLE AFTER 30 SECONDS AHEAD 1 HOUR ARRIVAL BY received LATE CONSISTENT
  SOURCE KAFKA 'traffic' OPTIONS (kafka.bootstrap.servers 'localhost:9092');
SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
