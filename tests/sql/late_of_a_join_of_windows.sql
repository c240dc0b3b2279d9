-- ok
-- late tuples of a join, with the name of the input that left them out
CREATE STREAM bid (auction BIGINT, bidder BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'bid' FORMAT json;
CREATE STREAM auction (id BIGINT, seller BIGINT, price BIGINT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'auction' FORMAT json;
CREATE STREAM sold AS SELECT b.auction, seller FROM bid [RANGE 1 HOUR] AS b JOIN auction [RANGE 1 HOUR] AS a ON b.auction = a.id;
CREATE STREAM missed AS LATE OF sold;
SELECT input, id, `a.price`, frontier FROM missed WHERE input = 'a';
