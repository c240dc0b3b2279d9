-- SyntaxMistake
-- a stream needs columns
CREATE STREAM traffic SOURCE FILE 'data/traffic';
