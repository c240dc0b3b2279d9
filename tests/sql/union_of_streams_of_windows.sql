-- ok
-- what windows give is a stream, too
CREATE STREAM opened (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (item INT, final DOUBLE, at TIMESTAMP) ORDER BY at SOURCE FILE 'closed' FORMAT json;
CREATE STREAM bid (item BIGINT, price DOUBLE) SOURCE FILE 'bid' FORMAT json;
CREATE STREAM highest AS SELECT item, max(price) AS price FROM opened [TUMBLE 5 MINUTES] GROUP BY item;
SELECT item, price FROM highest UNION ALL SELECT item, final FROM closed;
