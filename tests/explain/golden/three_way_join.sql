CREATE STREAM orders (id BIGINT, customer STRING, amount BIGINT, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS;
CREATE STREAM payments (order_id BIGINT, paid BIGINT, ts TIMESTAMP) ORDER BY ts SLACK 10 SECONDS;
CREATE STREAM clicks (customer STRING, page STRING, ts TIMESTAMP) ORDER BY ts;
SELECT o.id, p.paid, c.page FROM orders [RANGE 1 HOUR] AS o JOIN payments [TUMBLE 10 MINUTES] AS p ON o.id = p.order_id
JOIN clicks [RANGE 3 ROWS] AS c ON c.customer = o.customer WHERE p.paid > 3;
