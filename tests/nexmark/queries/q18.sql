-- Latest bid: of each bidder on each auction, the last bid. A new one replaces the one before.
-- compare: net
SELECT ISTREAM auction, bidder, price FROM bid [RANGE 1 ROW SLIDE 1 ROW PATTR bidder, auction];
