-- ok
-- section 2: travel times from the speed bounds and the lengths of the segments
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE TABLE segment (segment_id STRING, miles DOUBLE);
CREATE STREAM speed_bounds AS
  SELECT seg_id, max(speed) AS hi, min(speed) AS lo FROM traffic [RANGE 300 SECONDS SLIDE 60 SECONDS WATTR ts] GROUP BY seg_id;
SELECT seg_id, miles / hi AS fastest, miles / lo AS slowest
FROM speed_bounds JOIN segment ON speed_bounds.seg_id = segment.segment_id;
