CREATE STREAM person (id BIGINT, name STRING, email STRING, city STRING, state STRING, ts TIMESTAMP) ORDER BY ts;
CREATE STREAM auction (id BIGINT, item STRING, initial_bid BIGINT, reserve BIGINT, ts TIMESTAMP, expires TIMESTAMP, seller BIGINT, category BIGINT) ORDER BY ts;
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, ts TIMESTAMP) ORDER BY ts;
