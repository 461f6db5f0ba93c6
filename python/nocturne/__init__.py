"""Nocturne, a network-on-chip simulator with schedule validation, for Python.

Networks, problems, schedules, bounds and violations are immutable values; results are dataclasses with NumPy
arrays. What searches or simulates runs in a process of its own, as the command `nocturne` does, so it may be
called as often as you like, from several threads too, and Ctrl-C ends it. Bad input is a ValueError with the
one line that the command prints.
"""

from ._command import WorkerError, command
from ._core import (
    Bound,
    Collective,
    Message,
    Problem,
    Schedule,
    Topology,
    Transfer,
    Violation,
    check_bound,
    claimed_bound,
    load_result,
    topology_kinds,
    validate,
    validation_rules,
)
from .graphs import from_channels, from_networkx, to_networkx
from .results import (
    BoundResult,
    BoundSummary,
    ChannelUse,
    Comparison,
    PrintedBound,
    ReplayResult,
    ReplaySeries,
    RunResult,
    SearchResult,
    Stall,
    TimingFit,
    TrafficCurve,
    TrafficPoint,
    WaitingFor,
)
from .searches import bound, find_schedule
from .simulations import compare, describe, find_saturation, replay, replay_sizes, traffic

__all__ = [
    "Bound",
    "BoundResult",
    "BoundSummary",
    "ChannelUse",
    "Collective",
    "Comparison",
    "Message",
    "PrintedBound",
    "Problem",
    "ReplayResult",
    "ReplaySeries",
    "RunResult",
    "Schedule",
    "SearchResult",
    "Stall",
    "TimingFit",
    "Topology",
    "TrafficCurve",
    "TrafficPoint",
    "Transfer",
    "Violation",
    "WaitingFor",
    "WorkerError",
    "bound",
    "check_bound",
    "claimed_bound",
    "command",
    "compare",
    "describe",
    "find_saturation",
    "find_schedule",
    "from_channels",
    "from_networkx",
    "load_result",
    "replay",
    "replay_sizes",
    "to_networkx",
    "topology_kinds",
    "traffic",
    "validate",
    "validation_rules",
]
