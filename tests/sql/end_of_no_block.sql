-- SyntaxMistake
-- END closes a block, and there is none
CREATE STREAM s (k INT, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'x' FORMAT csv;
SELECT * FROM s [RANGE 6 ROWS SLIDE 1 ROW];
END
