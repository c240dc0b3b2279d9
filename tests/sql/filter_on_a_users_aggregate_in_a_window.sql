-- NotSupported
-- FILTER on an aggregate that a user wrote is not silently dropped, in a window
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE AGGREGATE latest(x DOUBLE) RETURNS DOUBLE {
  INITIALIZE: { }
  ITERATE: { }
  TERMINATE: { INSERT INTO RETURN VALUES (1.0); }
};
SELECT latest(speed) FILTER (WHERE milepost > 50) FROM traffic [TUMBLE 5 MINUTES];
