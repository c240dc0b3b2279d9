-- SyntaxMistake
-- a column needs a type
CREATE STREAM traffic (seg_id, speed DOUBLE) SOURCE FILE 'data/traffic';
