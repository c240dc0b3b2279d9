-- NotSupported
-- equal arrays are not looked for
CREATE STREAM opened (items ARRAY<BIGINT>, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (items ARRAY<BIGINT>, at TIMESTAMP) ORDER BY at SOURCE FILE 'closed' FORMAT json;
SELECT items FROM opened UNION SELECT items FROM closed;
