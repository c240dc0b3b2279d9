-- ok
-- comments of both kinds, in every place
-- a line; with a semicolon
/* a block
   -- with a line in it; */
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT /* the segment */ seg_id, -- and its highest speed
       max(speed) AS hi
FROM traffic [ /* five minutes */ RANGE 300 SECONDS -- every minute
  SLIDE 60 SECONDS ]
GROUP BY seg_id;
