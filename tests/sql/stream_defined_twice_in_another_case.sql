-- BadQuery
-- names are case-insensitive
CREATE STREAM traffic (x INT) SOURCE SOCKET 'localhost:1';
CREATE STREAM TRAFFIC (x INT) SOURCE SOCKET 'localhost:2';
