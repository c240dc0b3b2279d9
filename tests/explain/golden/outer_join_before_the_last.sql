CREATE STREAM orders (id BIGINT, customer STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'orders' FORMAT json;
CREATE STREAM payments (order_id BIGINT, paid BIGINT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'payments' FORMAT json;
CREATE STREAM clicks (customer STRING, page STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'clicks' FORMAT json;
SELECT o.id, p.paid, c.page FROM orders [RANGE 1 HOUR] AS o LEFT JOIN payments [RANGE 1 HOUR] AS p ON o.id = p.order_id
JOIN clicks [RANGE 10 MINUTES] AS c ON c.customer = o.customer;
