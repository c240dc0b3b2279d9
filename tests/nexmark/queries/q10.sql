-- Log: all bids with the day and the hour that a file system would be partitioned by.
-- compare: rows, not on the reference: date_format
SELECT auction, bidder, price, ts, date_format(ts, 'yyyy-MM-dd') AS day, date_format(ts, 'HH') AS hour FROM bid;
