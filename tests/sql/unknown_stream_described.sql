-- UnknownStream
-- DESCRIBE of a stream that is not there
DESCRIBE STREAM traffic;
