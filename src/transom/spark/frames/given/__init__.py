"""A DataFrame whose schema the user gives, and which nothing is asked of: the types of what is computed of it."""
