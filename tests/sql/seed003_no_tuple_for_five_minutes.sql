-- BadFrame
-- section 5.4: a warning when a window of 5 minutes becomes empty
CREATE STREAM door (code STRING, seen TIMESTAMP) ORDER BY seen SOURCE SOCKET 'localhost:5564';
SELECT count(*) OVER (RANGE 5 MINUTES PRECEDING ACTIVE EXPIRATION) FROM door;
