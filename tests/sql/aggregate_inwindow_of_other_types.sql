-- TypeMismatch
-- inwindow has the types of the arguments
CREATE WINDOW AGGREGATE f(x DOUBLE) RETURNS DOUBLE {
  TABLE inwindow(old STRING);
  INITIALIZE: { INSERT INTO RETURN VALUES (x); }
  ITERATE: { INSERT INTO RETURN VALUES (x); }
};
