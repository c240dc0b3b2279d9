-- ok
-- section 2: one stream with any number of tables
CREATE STREAM open_auction (item BIGINT, seller STRING, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SOURCE SOCKET 'localhost:5561';
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING) SOURCE SOCKET 'localhost:5563';
CREATE TABLE item_info (item_id BIGINT, title STRING, category_id INT);
CREATE TABLE category (cat INT, label STRING);
SELECT seller, title, label
FROM open_auction
JOIN item_info ON open_auction.item = item_info.item_id
JOIN category ON item_info.category_id = category.cat;
