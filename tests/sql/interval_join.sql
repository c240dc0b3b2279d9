-- ok
-- two streams, and a condition that bounds the distance of their timestamps
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, category INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM person (id BIGINT, name STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'person' FORMAT json;
CREATE STREAM tick (v DOUBLE) SOURCE FILE 'tick' FORMAT json;
CREATE TABLE category (cat INT, label STRING);
SELECT b.auction, a.seller FROM auction AS a JOIN bid AS b ON a.id = b.auction AND b.ts BETWEEN a.ts - INTERVAL 1 HOUR AND a.ts + INTERVAL 10 MINUTES;
