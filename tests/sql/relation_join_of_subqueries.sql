-- ok
-- an aggregate of one window joined with tuples of another
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, category INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM person (id BIGINT, name STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'person' FORMAT json;
CREATE STREAM tick (v DOUBLE) SOURCE FILE 'tick' FORMAT json;
CREATE TABLE category (cat INT, label STRING);
SELECT ISTREAM b.auction, b.price FROM bid [RANGE 10 MINUTES SLIDE 1 MINUTE] AS b JOIN (SELECT max(price) AS best FROM bid [RANGE 10 MINUTES SLIDE 1 MINUTE]) AS m ON b.price = m.best;
