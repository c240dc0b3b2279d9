-- ok
-- experiment 1: max over row windows whose slide varies
CREATE STREAM traffic (seg_id STRING, speed DOUBLE, milepost DOUBLE, vehicle STRING, ts TIMESTAMP)
  ORDER BY ts
  SOURCE FILE 'data/traffic' FORMAT csv OPTIONS (header 'true');
SELECT max(speed) FROM traffic [RANGE 1000 ROWS SLIDE 1 ROW WATTR row_num];
SELECT max(speed) FROM traffic [RANGE 1000 ROWS SLIDE 100 ROWS WATTR row_num];
SELECT max(speed) FROM traffic [RANGE 1000 ROWS SLIDE 1000 ROWS WATTR row_num];
