SELECT auction, bidder, price, channel, split_part(url, '/', 4) AS first, split_part(url, '/', 5) AS second FROM bid
