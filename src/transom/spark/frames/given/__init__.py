"""A DataFrame whose schema the user gives and that is never analysed: the types of what is computed from it."""
