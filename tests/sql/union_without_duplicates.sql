-- ok
-- and a window on it, by the timestamp that it is merged by
CREATE STREAM opened (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (item INT, final DOUBLE, at TIMESTAMP) ORDER BY at SOURCE FILE 'closed' FORMAT json;
CREATE STREAM bid (item BIGINT, price DOUBLE) SOURCE FILE 'bid' FORMAT json;
SELECT item, count(*) AS n, window_end FROM (SELECT item FROM opened UNION SELECT item FROM closed) u [TUMBLE 5 MINUTES] GROUP BY item;
