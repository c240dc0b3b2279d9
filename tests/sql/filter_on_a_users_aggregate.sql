-- NotSupported
-- FILTER on an aggregate that a user wrote is not silently dropped
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE AGGREGATE latest(x DOUBLE) RETURNS DOUBLE {
  INITIALIZE: { INSERT INTO RETURN VALUES (x); }
  ITERATE: { INSERT INTO RETURN VALUES (x); }
};
SELECT latest(speed) FILTER (WHERE milepost > 50) FROM traffic;
