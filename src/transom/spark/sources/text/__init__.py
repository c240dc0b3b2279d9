"""Records of text: cut out of blocks, parsed by Spark, and what becomes of malformed ones."""
