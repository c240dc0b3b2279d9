-- SyntaxMistake
-- a kind of source that does not exist
CREATE STREAM traffic (speed DOUBLE) SOURCE PIGEON 'data/traffic';
