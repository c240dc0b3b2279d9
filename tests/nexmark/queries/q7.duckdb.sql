SELECT auction, price, bidder, time_bucket(INTERVAL 10 SECONDS, ts) + INTERVAL 10 SECONDS AS window_end FROM bid QUALIFY price = max(price) OVER (PARTITION BY time_bucket(INTERVAL 10 SECONDS, ts))
