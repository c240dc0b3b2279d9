"""The demo: a stream of traffic that arrives out of order, and the windows that close over it."""
