"""What runs: containers that hold tuples, apply the policies, and call the handlers of events."""
