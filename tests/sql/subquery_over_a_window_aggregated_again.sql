-- ok
-- any relational query may follow a window, another aggregate too
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT avg(hi) AS mean_of_highs FROM (SELECT seg_id, max(speed) AS hi FROM traffic [TUMBLE 5 MINUTES] GROUP BY seg_id) q;
