CREATE STREAM opened (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SLACK 5 SECONDS SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (item BIGINT, final DOUBLE) ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
SELECT item, price FROM opened WHERE price > 0 UNION ALL SELECT item, final FROM closed;
SELECT item, count(*) AS n FROM (SELECT item FROM opened UNION SELECT item FROM closed) AS u [TUMBLE 5 MINUTES] GROUP BY item;
