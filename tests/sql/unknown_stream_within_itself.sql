-- UnknownStream
-- a derived stream cannot read itself
CREATE STREAM loop AS SELECT * FROM loop;
