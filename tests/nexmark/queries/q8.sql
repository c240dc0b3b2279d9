-- New sellers: who came and opened an auction within the same 10 seconds?
-- compare: rows
SELECT p.id, p.name, p.window_start FROM person [TUMBLE 10 SECONDS] AS p
JOIN (SELECT DISTINCT seller, window_end AS until FROM auction [TUMBLE 10 SECONDS]) AS a ON p.id = a.seller AND p.window_end = a.until;
