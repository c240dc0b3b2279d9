-- UnboundedState
-- a join without a bound between the timestamps
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
CREATE STREAM incident (seg_id STRING, ts TIMESTAMP) ORDER BY ts SOURCE KAFKA 'incident';
SELECT traffic.seg_id FROM traffic JOIN incident ON traffic.seg_id = incident.seg_id;
