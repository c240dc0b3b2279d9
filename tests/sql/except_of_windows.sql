-- ok
-- a difference of the states of two windows
CREATE STREAM opened (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (item INT, final DOUBLE, at TIMESTAMP) ORDER BY at SOURCE FILE 'closed' FORMAT json;
CREATE STREAM bid (item BIGINT, price DOUBLE) SOURCE FILE 'bid' FORMAT json;
SELECT item FROM opened [TUMBLE 5 MINUTES] EXCEPT SELECT item FROM closed [TUMBLE 5 MINUTES];
