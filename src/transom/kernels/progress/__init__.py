"""Progress as arrays: how far punctuation reaches, for whom, and when."""
