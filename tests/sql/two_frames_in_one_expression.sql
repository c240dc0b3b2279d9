-- ok
-- frames are scalars like any other
CREATE STREAM bid (item BIGINT, price DOUBLE);
SELECT item, max(price) OVER (PARTITION BY item ROWS 9 PRECEDING) - min(price) OVER (PARTITION BY item ROWS 9 PRECEDING) AS spread FROM bid;
