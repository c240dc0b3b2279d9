"""One window operator over a stream, or over another operator: a stage for each kind."""
