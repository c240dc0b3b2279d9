-- ok
-- a dropped name is free
CREATE STREAM s (x INT) SOURCE SOCKET 'localhost:1';
DROP STREAM s;
CREATE STREAM s (y DOUBLE) SOURCE SOCKET 'localhost:2';
SELECT y FROM s;
