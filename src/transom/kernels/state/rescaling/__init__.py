"""State for another number of shards: that of a shard is split by key, and the parts of a new shard are merged.

No plan is needed: the head of a shard says what its operator is and how it is spread. What all shards have alike (progress)
goes to every part; what is only added up (counts) goes to the first.
"""
