-- ok
-- example 7: the standard average as a user-defined aggregate
CREATE AGGREGATE myavg(x DOUBLE) RETURNS DOUBLE {
  TABLE state(tsum DOUBLE, cnt BIGINT);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); }
  ITERATE:    { UPDATE state SET tsum = tsum + x, cnt = cnt + 1; }
  TERMINATE:  { INSERT INTO RETURN SELECT tsum / cnt FROM state; }
};
