"""What crosses the exchange, and what leaves the stateful operator."""
