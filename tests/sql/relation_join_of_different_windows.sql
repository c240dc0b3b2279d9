-- ok
-- a sliding window, joined with the last rows of each key
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, category INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM person (id BIGINT, name STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'person' FORMAT json;
CREATE STREAM tick (v DOUBLE) SOURCE FILE 'tick' FORMAT json;
CREATE TABLE category (cat INT, label STRING);
SELECT b.auction, price, seller FROM bid [RANGE 1 HOUR SLIDE 5 MINUTES] AS b JOIN auction [RANGE 1 ROW SLIDE 1 ROW PATTR id] AS a ON b.auction = a.id AND b.price > a.category * 10.0 TIMESTAMP MAX;
