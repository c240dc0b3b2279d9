-- ok
-- example 15: the tumble fed into the window without a slide
CREATE STREAM open_auction (item BIGINT, seller STRING, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SOURCE SOCKET 'localhost:5561';
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts SOURCE SOCKET 'localhost:5562';
CREATE STREAM bid (item BIGINT, price DOUBLE, bidder STRING) SOURCE SOCKET 'localhost:5563';
SELECT item, sum(pane) OVER (PARTITION BY item ROWS 4 PRECEDING) AS total
FROM (SELECT item, sum(price) OVER (PARTITION BY item ROWS 9 PRECEDING SLIDE 10 ROWS) AS pane FROM bid) panes;
