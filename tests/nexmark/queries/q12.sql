-- Time of processing: how many bids did each bidder make in each 10 seconds of arrival?
-- compare: rows
SELECT bidder, count(*) AS n, window_start FROM bid [TUMBLE 10 SECONDS WATTR arrival_ts] GROUP BY bidder;
