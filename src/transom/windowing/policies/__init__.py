"""What the user configures: when tuples leave a window, when it is processed, and how many partitions it holds."""
