CREATE STREAM orders (id BIGINT, region STRING, customer STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'orders' FORMAT json;
CREATE STREAM rates (region STRING, rate BIGINT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'rates' FORMAT json;
CREATE STREAM clicks (customer STRING, page STRING, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'clicks' FORMAT json;
SELECT o.id, r.rate, c.page FROM orders AS o ASOF JOIN rates AS r MATCH_CONDITION (o.ts >= r.ts) ON o.region = r.region
ASOF LEFT JOIN clicks AS c MATCH_CONDITION (o.ts >= c.ts) ON o.customer = c.customer WITHIN 30 MINUTES;
SELECT o.id, r.rate, c.page FROM orders AS o ASOF JOIN rates AS r MATCH_CONDITION (o.ts >= r.ts) ON o.region = r.region
JOIN clicks [RANGE 10 MINUTES] AS c ON o.customer = c.customer;
