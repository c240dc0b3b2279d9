-- WrongUnit
-- IDLE AFTER is a length of time
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts PER SOURCE IDLE AFTER 30 SOURCE KAFKA 'traffic';
