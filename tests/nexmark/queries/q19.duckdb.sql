SELECT auction, bidder, price, row_number() OVER (PARTITION BY auction ORDER BY price DESC, ts) AS place FROM bid QUALIFY place <= 3
