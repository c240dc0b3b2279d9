WITH gaps AS (SELECT *, CASE WHEN ts - lag(ts) OVER w <= INTERVAL 3 SECONDS THEN 0 ELSE 1 END AS opens FROM bid WINDOW w AS (PARTITION BY bidder ORDER BY ts)),
numbered AS (SELECT *, sum(opens) OVER (PARTITION BY bidder ORDER BY ts) AS session FROM gaps)
SELECT bidder, count(*) AS n, min(ts) AS window_start FROM numbered GROUP BY bidder, session
