-- Sessions: how many bids did each bidder make in each session, with 3 seconds between?
-- compare: rows
SELECT bidder, count(*) AS n, window_start FROM bid [SESSION GAP 3 SECONDS PATTR bidder];
