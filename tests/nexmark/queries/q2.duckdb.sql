SELECT auction, price FROM bid WHERE auction % 5 = 0
