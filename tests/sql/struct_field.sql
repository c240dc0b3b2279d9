-- ok
-- a field of a struct, as in Spark
CREATE STREAM wide (place STRUCT<lat: DOUBLE, lon: DOUBLE>, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/wide' FORMAT json;
SELECT place.lat AS lat, wide.place.lon AS lon FROM wide;
