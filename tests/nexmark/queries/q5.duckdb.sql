WITH ends AS (SELECT to_timestamp(2 * unnest(range((SELECT epoch(min(ts))::BIGINT // 2 FROM bid), (SELECT epoch(max(ts))::BIGINT // 2 + 7 FROM bid)))) AS window_end),
counted AS (SELECT auction, count(*) AS n, window_end FROM ends JOIN bid ON ts >= window_end - INTERVAL 10 SECONDS AND ts < window_end GROUP BY auction, window_end)
SELECT auction, n, window_end FROM counted QUALIFY rank() OVER (PARTITION BY window_end ORDER BY n DESC) = 1
