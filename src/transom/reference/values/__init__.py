"""Values: expressions, aggregates and bodies, evaluated one by one as SQL says."""
