"""What can be done with a relation, by theme: each file a part of the class `Relation`."""
