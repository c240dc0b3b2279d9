-- ok
-- bids of auctions, with the bidder
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, category INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM person (id BIGINT, name STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'person' FORMAT json;
CREATE STREAM tick (v DOUBLE) SOURCE FILE 'tick' FORMAT json;
CREATE TABLE category (cat INT, label STRING);
SELECT b.price, p.name FROM bid [RANGE 1 HOUR] AS b LEFT SEMI JOIN auction [RANGE 1 HOUR] AS a ON b.auction = a.id
  JOIN person [RANGE 1 HOUR] AS p ON p.id = b.bidder;
