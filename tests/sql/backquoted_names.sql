-- ok
-- names in backquotes: with a space, keywords, other letters
CREATE STREAM `my traffic` (`seg id` STRING, `range` DOUBLE, `straße` STRING, `select` TIMESTAMP)
  ORDER BY `select`
  ORDERED PER `seg id`
  SOURCE FILE 'data/traffic';
SELECT `seg id`, max(`range`) AS `the highest`, `straße`
FROM `my traffic` [RANGE 5 MINUTES SLIDE 1 MINUTE WATTR `select` PATTR `seg id`, `straße`];
