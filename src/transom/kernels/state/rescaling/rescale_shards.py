"""All shards of an operator, for another number of them: each is split, and the parts of each new one are merged."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

from transom.errors import CheckpointDamaged, NotSupported
from transom.kernels.state.rescaling.container_state import ContainerState
from transom.kernels.state.rescaling.relational_state import RelationalState
from transom.kernels.state.rescaling.shard_state import WHOLE, Blocks, ShardState, State
from transom.kernels.state.rescaling.tabled_state import tabled_state
from transom.kernels.state.rescaling.windowed_state import WindowedState
from transom.kernels.state.summary import APPLIED

PICKLED = pickle.PROTO
"""How a head begins that is not a table."""


def state_of(state: State) -> ShardState:
    """The state of a shard, as what its operator keeps."""
    if APPLIED in state:
        return ContainerState(state) if state[APPLIED][:1] == PICKLED else tabled_state(state)
    found = WindowedState(state)
    return RelationalState(state) if "inputs" in found.head else found


def split(state: State, shards: int) -> list[Blocks]:
    """The state of a shard as those of several: the same operator, as far as the keys of each go."""
    one = state_of(state)
    if not one.is_spread and shards > 1:
        raise NotSupported("the operator works in one shard", given=f"{shards} shards", remedy="leave it in one")
    return one.split(shards)


def merge(states: Sequence[State], plan: str | None = None) -> Blocks:
    """The states of several shards as one, of the plan with this fingerprint."""
    first, *others = map(state_of, states)
    if any(other.plan != first.plan or type(other) is not type(first) for other in others):
        plans = sorted({one.plan for one in (first, *others)})
        raise CheckpointDamaged("shards belong to different queries", given=", ".join(plans), remedy=WHOLE)
    first.merge(others)
    return first.blocks(first.plan if plan is None else plan)


def rescaled(states: Sequence[State], shards: int, plan: str | None = None) -> list[Blocks]:
    """The states of all shards of an operator, for another number of them. What works in one shard stays in one."""
    if not state_of(states[0]).is_spread:
        return [merge(states[:1], plan)]
    parts = [split(state, shards) for state in states]
    return [merge([own[shard] for own in parts], plan) for shard in range(shards)]
