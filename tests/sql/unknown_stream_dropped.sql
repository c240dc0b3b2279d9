-- UnknownStream
-- DROP of a stream that is not there
DROP STREAM traffic;
