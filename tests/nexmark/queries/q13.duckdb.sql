SELECT auction, bidder, price, label FROM bid JOIN side ON auction % 4 = code
