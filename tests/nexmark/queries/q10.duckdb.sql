SELECT auction, bidder, price, ts, strftime(ts, '%Y-%m-%d') AS day, strftime(ts, '%H') AS hour FROM bid
