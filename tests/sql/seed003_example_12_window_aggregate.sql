-- ok
-- examples 11 to 13: the window version of an aggregate
CREATE WINDOW AGGREGATE myavg(x DOUBLE) RETURNS DOUBLE {
  TABLE state(tsum DOUBLE, cnt BIGINT);
  TABLE inwindow(wnext DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (x, 1); INSERT INTO RETURN VALUES (x); }
  ITERATE:    { UPDATE state SET tsum = tsum + x, cnt = cnt + 1; INSERT INTO RETURN SELECT tsum / cnt FROM state; }
  EXPIRE:     { UPDATE state SET tsum = tsum - oldest().wnext, cnt = cnt - 1; }
};
