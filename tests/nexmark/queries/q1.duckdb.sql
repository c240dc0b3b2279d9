SELECT auction, bidder, price * 908 / 1000 AS price, ts FROM bid
