-- BadFrame
-- rank a query on the groups
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, category INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM person (id BIGINT, name STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'person' FORMAT json;
CREATE STREAM tick (v DOUBLE) SOURCE FILE 'tick' FORMAT json;
CREATE TABLE category (cat INT, label STRING);
SELECT auction, rank() OVER (PARTITION BY window_end ORDER BY count(*)) AS place FROM bid [TUMBLE 10 MINUTES] GROUP BY auction;
