-- ok
-- a table of a query with WITH
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, category INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM person (id BIGINT, name STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'person' FORMAT json;
CREATE STREAM tick (v DOUBLE) SOURCE FILE 'tick' FORMAT json;
CREATE TABLE category (cat INT, label STRING);
CREATE TABLE top AS WITH q AS (SELECT cat + 1 AS c, label FROM category) SELECT c, upper(label) AS label, count(*) AS n FROM q GROUP BY c, label; SELECT auction, n FROM bid JOIN top ON auction = c;
