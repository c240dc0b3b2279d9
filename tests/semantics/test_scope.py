"""Seed 002's scope functions and seed 000's window-ids are two views of the same extents."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.semantics.scope_functions import (
    Scope,
    scope_band,
    scope_lower_landmark,
    scope_now,
    scope_sliding,
    scope_tumbling,
    scope_upper_landmark,
    scope_varying,
    window_of_band,
    window_of_lower_landmark,
    window_of_now,
    window_of_sliding,
    window_of_upper_landmark,
    window_of_varying,
)
from transom.semantics import Tuple, Window, number_arrivals

INSTANTS = st.integers(-20, 20)
LENGTHS = st.integers(1, 8)
TUPLES = st.lists(INSTANTS, max_size=15).map(lambda values: number_arrivals([{"a": a} for a in values]))


def in_scope(scope: Scope, arrived: list[Tuple]) -> list[Tuple]:
    """W(S, tau) = { s in S : s.A in scope(tau) }"""
    return [] if scope is None else [t for t in arrived if scope[0] <= t["a"] <= scope[1]]


def since(tau_0: int, arrived: list[Tuple]) -> list[Tuple]:
    return [t for t in arrived if t["a"] >= tau_0]


def extent(window: Window, w: int, arrived: list[Tuple]) -> list[Tuple]:
    return window.extent(w, arrived)


@given(tau=INSTANTS, tau_l=INSTANTS, arrived=TUPLES)
def test_lower_landmark(tau: int, tau_l: int, arrived: list[Tuple]) -> None:
    window = window_of_lower_landmark("a", tau_l=tau_l)
    want = extent(window, tau - tau_l, arrived) if tau >= tau_l else []
    assert in_scope(scope_lower_landmark(tau, tau_l=tau_l), arrived) == want


@given(tau=INSTANTS, tau_0=INSTANTS, reach=LENGTHS, arrived=TUPLES)
def test_upper_landmark(tau: int, tau_0: int, reach: int, arrived: list[Tuple]) -> None:
    tau_u, tau = tau_0 + reach, max(tau, tau_0)
    window = window_of_upper_landmark("a", tau_u=tau_u)
    scope = scope_upper_landmark(tau, tau_0=tau_0, tau_u=tau_u)
    assert in_scope(scope, arrived) == extent(window, min(tau, tau_u), since(tau_0, arrived))


@given(tau=INSTANTS, tau_l=INSTANTS, reach=LENGTHS, arrived=TUPLES)
def test_band(tau: int, tau_l: int, reach: int, arrived: list[Tuple]) -> None:
    tau_u = tau_l + reach
    window = window_of_band("a", tau_l=tau_l, tau_u=tau_u)
    want = extent(window, min(tau, tau_u) - tau_l, arrived) if tau >= tau_l else []
    assert in_scope(scope_band(tau, tau_l=tau_l, tau_u=tau_u), arrived) == want
    assert window.last == tau_u - tau_l


@given(k=st.integers(0, 12), tau_0=INSTANTS, omega=LENGTHS, beta=LENGTHS, delta=st.integers(0, 5), arrived=TUPLES)
def test_sliding_with_lag(k: int, tau_0: int, omega: int, beta: int, delta: int, arrived: list[Tuple]) -> None:
    window = window_of_sliding("a", tau_0=tau_0, omega=omega, beta=beta, delta=delta)
    tau = tau_0 + k * beta
    scope = scope_sliding(tau, tau_0=tau_0, omega=omega, beta=beta, delta=delta)
    assert in_scope(scope, arrived) == extent(window, k, since(tau_0, arrived))
    assert window.instant(k) == tau + 1


@given(k=st.integers(0, 12), step=st.integers(0, 7), tau_0=INSTANTS, omega=LENGTHS, beta=LENGTHS)
def test_between_evaluations_the_scope_stays(k: int, step: int, tau_0: int, omega: int, beta: int) -> None:
    tau = tau_0 + k * beta
    at_evaluation = scope_sliding(tau, tau_0=tau_0, omega=omega, beta=beta)
    assert scope_sliding(tau + step % beta, tau_0=tau_0, omega=omega, beta=beta) == at_evaluation


@given(k=st.integers(0, 12), tau_0=INSTANTS, omega=LENGTHS, arrived=TUPLES)
def test_tumbling_is_sliding_with_beta_omega(k: int, tau_0: int, omega: int, arrived: list[Tuple]) -> None:
    window = window_of_sliding("a", tau_0=tau_0, omega=omega, beta=omega)
    scope = scope_tumbling(tau_0 + k * omega, tau_0=tau_0, omega=omega)
    assert in_scope(scope, arrived) == extent(window, k, since(tau_0, arrived))


@given(tau=INSTANTS, lengths=st.lists(st.integers(0, 8), min_size=1, max_size=5), arrived=TUPLES)
def test_varying(tau: int, lengths: list[int], arrived: list[Tuple]) -> None:
    def omega(instant: int) -> int:
        return lengths[instant % len(lengths)]

    window = window_of_varying("a", omega=omega, longest=8)
    assert in_scope(scope_varying(tau, omega=omega), arrived) == extent(window, tau, arrived)


@given(tau=INSTANTS, arrived=TUPLES)
def test_now(tau: int, arrived: list[Tuple]) -> None:
    assert in_scope(scope_now(tau), arrived) == extent(window_of_now("a"), tau, arrived)
    assert scope_now(tau) == scope_sliding(tau, tau_0=tau, omega=1, beta=1)
