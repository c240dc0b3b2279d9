-- ok
-- keywords are case-insensitive, names too
create stream Traffic (Seg_Id string, Speed double, TS timestamp) order by ts slack 10 seconds late consistent source file 'data/traffic' format CSV;
sElEcT SEG_ID, MAX(SPEED) as Hi fRoM TRAFFIC [rAnGe 300 seconds sLiDe 60 Seconds WaTtR Ts dRaTiO 1%] gRoUp By seg_id;
