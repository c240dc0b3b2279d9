"""Running queries: jobs, micro-batches, checkpoints, and what is reported meanwhile."""
