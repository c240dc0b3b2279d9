"""The console from the command line: of a record, or of the run itself."""
