"""Window types: one file each, with what every window answers."""
