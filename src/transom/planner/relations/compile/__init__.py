"""From a plan over relations to relational operators: one file for each kind of node."""
