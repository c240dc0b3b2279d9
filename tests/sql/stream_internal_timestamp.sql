-- ok
-- internal timestamp: assigned on arrival
CREATE STREAM closed_auction (item BIGINT, buyer STRING, final_price DOUBLE)
  ORDER BY arrival_ts
  SOURCE KAFKA 'closed' OPTIONS (kafka.bootstrap.servers 'localhost:9092', startingOffsets 'earliest');
SELECT buyer, sum(final_price) FROM closed_auction [TUMBLE 1 HOUR] GROUP BY buyer;
