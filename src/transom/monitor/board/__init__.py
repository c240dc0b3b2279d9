"""What is known of each query: what it is, its windows, and its progress, frame by frame. No server, no Spark."""
