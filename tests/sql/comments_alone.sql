-- ok
-- a script without statements
-- nothing
/* at all */
