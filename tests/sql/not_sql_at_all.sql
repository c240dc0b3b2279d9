-- SyntaxMistake
-- plain words
please tell me how fast the cars are;
