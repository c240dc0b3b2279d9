-- BadQuery
-- two columns of one name
CREATE STREAM traffic (speed DOUBLE, Speed INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'data/traffic';
