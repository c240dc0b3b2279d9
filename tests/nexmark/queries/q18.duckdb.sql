SELECT auction, bidder, price FROM bid QUALIFY row_number() OVER (PARTITION BY bidder, auction ORDER BY ts DESC) = 1
