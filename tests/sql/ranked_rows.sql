-- ok
-- ranks within a window
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, category INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM person (id BIGINT, name STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'person' FORMAT json;
CREATE STREAM tick (v DOUBLE) SOURCE FILE 'tick' FORMAT json;
CREATE TABLE category (cat INT, label STRING);
SELECT auction, price, row_number() OVER (PARTITION BY window_end ORDER BY price DESC) AS place, rank() OVER (PARTITION BY window_end, auction ORDER BY price DESC, bidder) + 0 AS own FROM bid [TUMBLE 10 MINUTES];
