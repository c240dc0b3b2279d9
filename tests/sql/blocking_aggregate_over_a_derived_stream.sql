-- BlockingAggregate
-- a derived stream is a stream, also if windows made it
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE STREAM minutely AS SELECT seg_id, avg(speed) AS mean FROM traffic [TUMBLE 1 MINUTE] GROUP BY seg_id;
SELECT max(mean) FROM minutely;
