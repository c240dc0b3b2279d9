SELECT bidder, count(*) AS n, time_bucket(INTERVAL 10 SECONDS, ts) AS window_start FROM bid GROUP BY ALL
