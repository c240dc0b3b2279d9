-- ok
-- LANDMARK FROM a date
CREATE STREAM sale (amount DOUBLE, day DATE) ORDER BY day SOURCE FILE 'data/sale' FORMAT csv;
SELECT sum(amount) FROM sale [LANDMARK FROM DATE '2026-01-01' SLIDE 1 DAY];
