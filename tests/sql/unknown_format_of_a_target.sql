-- BadOption
-- results go to a FILE in a format that exists
CREATE STREAM traffic (speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data' FORMAT csv;
INSERT INTO FILE 'out' FORMAT xml SELECT max(speed) FROM traffic [TUMBLE 5 MINUTES];
