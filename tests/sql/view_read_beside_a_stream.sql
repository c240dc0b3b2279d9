-- NotSupported
-- a concrete view changes while a stream is read
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, category INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM person (id BIGINT, name STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'person' FORMAT json;
CREATE STREAM tick (v DOUBLE) SOURCE FILE 'tick' FORMAT json;
CREATE TABLE category (cat INT, label STRING);
CREATE VIEW best AS SELECT auction AS item, max(price) AS top FROM bid [RANGE 1 HOUR SLIDE 1 MINUTE] GROUP BY auction; SELECT auction, top FROM bid JOIN best ON auction = item;
