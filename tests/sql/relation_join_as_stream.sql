-- ok
-- a stream made of a join, windowed again
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, category INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM person (id BIGINT, name STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'person' FORMAT json;
CREATE STREAM tick (v DOUBLE) SOURCE FILE 'tick' FORMAT json;
CREATE TABLE category (cat INT, label STRING);
CREATE STREAM won AS SELECT a.seller, b.price FROM bid [RANGE 10 MINUTES] AS b JOIN auction [RANGE 1 HOUR] AS a ON b.auction = a.id TIMESTAMP MAX; SELECT seller, avg(price) AS mean FROM won [RANGE 10 ROWS SLIDE 1 ROW PATTR seller] GROUP BY seller;
