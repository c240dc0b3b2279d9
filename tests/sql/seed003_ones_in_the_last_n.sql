-- ok
-- section 7: the number of ones in the last N elements
CREATE STREAM element (bit INT) SOURCE SOCKET 'localhost:5562';
SELECT sum(bit) OVER (ROWS 999 PRECEDING) AS ones FROM element;
