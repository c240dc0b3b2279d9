-- ok
-- plain numbers on a decimal column
CREATE STREAM quote (price DECIMAL(10, 2), ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/quote' FORMAT json;
SELECT count(*) FROM quote [RANGE 1.50 SLIDE 0.25 WATTR price];
