-- A double bottom in a series of prices: down to a low, up to a peak, down to a second low within `tolerance` of the first, and up
-- beyond the peak. Returns the two lows and the peak when it is complete, and looks for the next one. The peak is the highest price
-- between the lows: a rise beyond it from no second low is a higher peak, a fall below the first low by more than `tolerance` a new
-- first low. NULLs leave it as it is.
--
-- example: SELECT double_bottom(price, 1.0) AS pattern FROM bid;
CREATE AGGREGATE double_bottom(x DOUBLE, tolerance DOUBLE) RETURNS (first_low DOUBLE, peak DOUBLE, second_low DOUBLE) {
  TABLE state(phase INT, last DOUBLE, low1 DOUBLE, top DOUBLE, low2 DOUBLE);
  INITIALIZE: { INSERT INTO state VALUES (0, x, x, x, x); }
  ITERATE: {
    UPDATE state SET phase = 0, low1 = last, top = last, low2 = last WHERE phase = 4;
    UPDATE state SET phase = CASE
        WHEN phase = 0 AND x < last THEN 1
        WHEN phase = 1 AND x > last THEN 2
        WHEN phase >= 2 AND x < low1 - tolerance THEN 1
        WHEN phase = 2 AND x < last THEN 3
        WHEN phase = 3 AND x > top AND abs(low2 - low1) <= tolerance THEN 4
        WHEN phase = 3 AND x > top THEN 2
        ELSE phase END;
    UPDATE state SET low1 = COALESCE(x, low1) WHERE phase <= 1;
    UPDATE state SET top = COALESCE(x, top), low2 = COALESCE(x, top) WHERE phase = 2;
    UPDATE state SET low2 = LEAST(low2, x) WHERE phase = 3;
    INSERT INTO RETURN SELECT low1, top, low2 FROM state WHERE phase = 4;
    UPDATE state SET last = COALESCE(x, last);
  }
};
