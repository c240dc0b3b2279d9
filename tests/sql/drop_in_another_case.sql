-- ok
-- names are case-insensitive, in DROP too
CREATE STREAM Traffic (x INT) SOURCE SOCKET 'localhost:1';
DROP STREAM TRAFFIC;
