-- UnknownStream
-- a stream is defined before it is used
SELECT * FROM later;
CREATE STREAM later (x INT) SOURCE SOCKET 'localhost:1';
