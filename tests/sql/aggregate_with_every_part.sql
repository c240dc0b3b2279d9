-- ok
-- tables, clauses, several columns, comments, odd names and texts
CREATE TABLE limits (item BIGINT, hi DOUBLE);
CREATE AGGREGATE odd_name(`a b` DOUBLE, c STRING) RETURNS (`x y` DOUBLE, z STRING) {
  TABLE `my state`(`select` DOUBLE, n BIGINT);  -- a table; with a semicolon in the comment
  TABLE many(k STRING, n BIGINT);
  INITIALIZE: { INSERT INTO `my state` VALUES (`a b`, 1); INSERT INTO many (k) VALUES (c), ('};{'), (NULL); }
  ITERATE: {
    UPDATE `my state` SET `select` = `select` + `a b` * 2, n = n + 1 WHERE n < 100 AND `a b` IS NOT NULL;
    DELETE FROM many WHERE k = c OR n IN (SELECT m.n FROM many AS m);
  }
  TERMINATE: { INSERT INTO RETURN SELECT s.`select`, m.k FROM `my state` AS s, many AS m WHERE m.k <> 'it''s' ORDER BY m.k DESC LIMIT 3; }
};
