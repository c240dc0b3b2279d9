-- BadTimestamp
-- a day the calendar does not have
CREATE STREAM sale (amount DOUBLE, day DATE) ORDER BY day SOURCE FILE 'data/sale' FORMAT csv;
SELECT sum(amount) FROM sale [LANDMARK FROM DATE '2026-02-30' SLIDE 1 DAY];
