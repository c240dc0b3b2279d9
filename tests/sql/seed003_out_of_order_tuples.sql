-- ok
-- section 2: tuples out of order go to a separate stream
CREATE STREAM open_auction (item BIGINT, start_price DOUBLE, start_time TIMESTAMP)
  ORDER BY start_time SLACK 5 SECONDS SOURCE SOCKET 'localhost:5561';
CREATE STREAM too_late AS LATE OF open_auction;
SELECT item, start_time, frontier FROM too_late;
