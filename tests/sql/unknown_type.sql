-- UnknownType
-- a type that Spark does not have
CREATE STREAM s (x FROBNICATE) SOURCE SOCKET 'localhost:1';
