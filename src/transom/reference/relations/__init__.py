"""The reference for relations: states at instants by their definition, operators on bags of rows, nothing incremental."""
