-- ok
-- so is what frames give
CREATE STREAM opened (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (item INT, final DOUBLE, at TIMESTAMP) ORDER BY at SOURCE FILE 'closed' FORMAT json;
CREATE STREAM bid (item BIGINT, price DOUBLE) SOURCE FILE 'bid' FORMAT json;
SELECT item, max(price) OVER (PARTITION BY item ROWS 9 PRECEDING) AS price FROM opened UNION ALL SELECT item, final FROM closed;
