-- Products that are read right after each other go into one case (seed 003, example 17): the group number goes up where the gap
-- to the product before is longer than `gap` seconds.
--
-- example: SELECT product_group(item, seen, 2) AS grouped FROM reading;
CREATE AGGREGATE product_group(id STRING, seen TIMESTAMP, gap INT) RETURNS (id STRING, seen TIMESTAMP, grp BIGINT) {
  TABLE state(last TIMESTAMP, grp BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (seen, 1); INSERT INTO RETURN VALUES (id, seen, 1); }
  ITERATE: {
    UPDATE state SET grp = CASE WHEN seen - last > INTERVAL 1 SECOND * gap THEN grp + 1 ELSE grp END, last = seen;
    INSERT INTO RETURN SELECT id, seen, grp FROM state;
  }
};
