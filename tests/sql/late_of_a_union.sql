-- NotSupported
-- each stream has its own late tuples
CREATE STREAM opened (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (item INT, final DOUBLE, at TIMESTAMP) ORDER BY at SOURCE FILE 'closed' FORMAT json;
CREATE STREAM bid (item BIGINT, price DOUBLE) SOURCE FILE 'bid' FORMAT json;
CREATE STREAM seen AS SELECT item FROM opened UNION ALL SELECT item FROM closed;
CREATE STREAM missed AS LATE OF seen;
