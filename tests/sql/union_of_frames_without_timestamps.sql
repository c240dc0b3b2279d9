-- BadQuery
-- frames in the order of arrival have no timestamp
CREATE STREAM opened (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (item INT, final DOUBLE, at TIMESTAMP) ORDER BY at SOURCE FILE 'closed' FORMAT json;
CREATE STREAM bid (item BIGINT, price DOUBLE) SOURCE FILE 'bid' FORMAT json;
SELECT item, max(price) OVER (ROWS 9 PRECEDING) AS price FROM bid UNION ALL SELECT item, price FROM opened;
