-- ok
-- sort-merge on timestamps: three streams, of which one has none of its own
CREATE STREAM opened (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (item INT, final DOUBLE, at TIMESTAMP) ORDER BY at SOURCE FILE 'closed' FORMAT json;
CREATE STREAM bid (item BIGINT, price DOUBLE) SOURCE FILE 'bid' FORMAT json;
SELECT item, price FROM opened UNION ALL SELECT item, final FROM closed WHERE final > 0 UNION ALL SELECT item, price FROM bid;
