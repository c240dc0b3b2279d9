-- ok
-- latent: arrival order alone; arrival_ts where an operator needs time
CREATE STREAM bid (item BIGINT, price DOUBLE) SOURCE SOCKET 'localhost:9999';
SELECT item, max(price) FROM bid [TUMBLE 5 MINUTES] GROUP BY item;
