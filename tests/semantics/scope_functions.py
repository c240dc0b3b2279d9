"""The scope functions of seed 002, section 3.3: the bounds of a window at an instant tau.

They are closed and discrete: `[tau_1, tau_2]` with both ends included, over a time domain of whole instants; None
is the empty scope. The `window_of_...` functions map each to the window-id view, where an extent evaluated at tau
is half open and ends at e = tau + 1.
"""

from __future__ import annotations

from collections.abc import Callable

from transom.semantics.function import Function
from transom.semantics.windows.band import Band
from transom.semantics.windows.landmark import Landmark, LandmarkUntil
from transom.semantics.windows.now import Now
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying

Scope = tuple[int, int] | None


def scope_lower_landmark(tau: int, *, tau_l: int) -> Scope:
    """scope_l: from tau_l on."""
    return None if tau < tau_l else (tau_l, tau)


def scope_upper_landmark(tau: int, *, tau_0: int, tau_u: int) -> Scope:
    """scope_u: from tau_0 until tau_u, then frozen."""
    return (tau_0, tau) if tau < tau_u else (tau_0, tau_u)


def scope_band(tau: int, *, tau_l: int, tau_u: int) -> Scope:
    """scope_b: between two fixed bounds."""
    if tau < tau_l:
        return None
    return (tau_l, tau) if tau <= tau_u else (tau_l, tau_u)


def scope_sliding(tau: int, *, tau_0: int, omega: int, beta: int, delta: int = 0) -> Scope:
    """scope_s: the last omega instants, every beta, delta behind; between evaluations the scope stays what it was."""
    if tau < tau_0 + delta:
        return None
    tau -= (tau - tau_0) % beta
    if tau < tau_0 + delta:
        return None
    return (tau_0, tau - delta) if tau - delta < tau_0 + omega else (tau - delta - omega + 1, tau - delta)


def scope_tumbling(tau: int, *, tau_0: int, omega: int, delta: int = 0) -> Scope:
    """scope_s with beta = omega."""
    return scope_sliding(tau, tau_0=tau_0, omega=omega, beta=omega, delta=delta)


def scope_varying(tau: int, *, omega: Callable[[int], int]) -> Scope:
    """scope_s with an extent omega(tau) that depends on the instant."""
    return (tau - omega(tau) + 1, tau) if omega(tau) > 0 else None


def scope_now(tau: int) -> Scope:
    """scope_s with omega = beta = 1: the current instance of the stream."""
    return (tau, tau)


def window_of_lower_landmark(wattr: str, *, tau_l: int) -> Landmark:
    """At tau, id tau - tau_l."""
    return Landmark(slide=1, wattr=wattr, since=tau_l)


def window_of_upper_landmark(wattr: str, *, tau_u: int) -> LandmarkUntil:
    """At tau, id min(tau, tau_u); over the tuples since tau_0, when the query was submitted."""
    return LandmarkUntil(slide=1, wattr=wattr, until=tau_u)


def window_of_band(wattr: str, *, tau_l: int, tau_u: int) -> Band:
    """At tau, id min(tau, tau_u) - tau_l."""
    return Band(lower=tau_l, upper=tau_u, slide=1, wattr=wattr)


def window_of_sliding(wattr: str, *, tau_0: int, omega: int, beta: int, delta: int = 0) -> Sliding:
    """At tau = tau_0 + k beta, id k: type 1 with e = tau + 1, r = omega, s = beta, o = tau_0 + 1 - beta.

    Over the tuples since tau_0: the origin of type 1 lies a step before the first evaluation.
    """
    return Sliding(range=omega, slide=beta, wattr=wattr, origin=tau_0 + 1 - beta, lag=delta)


def window_of_varying(wattr: str, *, omega: Callable[[int], int], longest: int) -> Varying:
    """At tau, id tau; omega is a function of tau = e - 1."""
    return Varying(range=Function("omega", lambda end: omega(end - 1)), slide=1, wattr=wattr, max=longest)


def window_of_now(wattr: str) -> Now:
    """At tau, id tau."""
    return Now(wattr=wattr)
