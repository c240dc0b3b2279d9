SELECT auction, bidder, price, ts FROM bid
