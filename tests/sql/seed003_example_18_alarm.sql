-- BadFrame
-- example 18: an aggregate that acts when tuples expire
CREATE STREAM door (code STRING, id STRING, seen TIMESTAMP) ORDER BY seen SOURCE SOCKET 'localhost:5564';
SELECT alarm(code, id) OVER (RANGE 5 SECONDS PRECEDING ACTIVE EXPIRATION) FROM door;
