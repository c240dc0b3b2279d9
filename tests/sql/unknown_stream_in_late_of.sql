-- UnknownStream
-- LATE OF something that is not there
CREATE STREAM l AS LATE OF nothing;
