-- ok
-- example 17: products less than 2 seconds apart belong together, by a window and by an aggregate
CREATE STREAM product (tag STRING, seen TIMESTAMP) ORDER BY seen SOURCE SOCKET 'localhost:5563';
SELECT tag, seen, window_start AS packed FROM product [SESSION GAP 2 SECONDS WATTR seen];
SELECT product_group(tag, seen, 2) AS packed FROM product;
