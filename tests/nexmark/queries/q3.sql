-- Local items: who sells in category 10 in Oregon, Idaho or California, and what? Kept for a day.
-- compare: rows
SELECT p.name, p.city, p.state, a.id
FROM auction [RANGE 1 DAY] AS a JOIN person [RANGE 1 DAY] AS p ON a.seller = p.id
WHERE a.category = 10 AND p.state IN ('OR', 'ID', 'CA');
