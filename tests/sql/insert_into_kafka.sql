-- ok
-- results into a topic
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
INSERT INTO KAFKA 'highs' OPTIONS (kafka.bootstrap.servers 'localhost:9092')
SELECT seg_id, max(speed) AS hi FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id;
