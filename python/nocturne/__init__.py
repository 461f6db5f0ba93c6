"""Nocturne, a network-on-chip simulator with schedule validation, for Python.

Networks, problems, schedules, bounds and violations are immutable values; results have the fields of the
command's JSON as attributes, with NumPy arrays. What searches or simulates runs in a process of its own, as
the command `nocturne` does, so it may be called as often as you like, from several threads too, and Ctrl-C
ends it. Bad input is a ValueError with the one line that the command prints.
"""

from ._command import WorkerError, command
from ._core import (
    Bound,
    Chunk,
    ChunkTransfer,
    ChunkedSchedule,
    Collective,
    Demand,
    LinkNetwork,
    Message,
    Problem,
    Schedule,
    Topology,
    Transfer,
    Violation,
    check_bound,
    claimed_bound,
    load_chunks,
    load_result,
    topology_kinds,
    validate,
    validate_chunks,
    validation_rules,
)
from .graphs import from_channels, from_networkx, to_networkx
from .results import Comparison, Field, Result, Rows, fields
from .searches import bound, find_chunks, find_schedule, front
from .simulations import compare, describe, find_saturation, replay, replay_chunks, replay_sizes, traffic

__all__ = [
    "Bound",
    "Chunk",
    "ChunkTransfer",
    "ChunkedSchedule",
    "Collective",
    "Comparison",
    "Demand",
    "Field",
    "LinkNetwork",
    "Message",
    "Problem",
    "Result",
    "Rows",
    "Schedule",
    "Topology",
    "Transfer",
    "Violation",
    "WorkerError",
    "bound",
    "check_bound",
    "claimed_bound",
    "command",
    "compare",
    "describe",
    "fields",
    "find_chunks",
    "find_saturation",
    "find_schedule",
    "from_channels",
    "from_networkx",
    "front",
    "load_chunks",
    "load_result",
    "replay",
    "replay_chunks",
    "replay_sizes",
    "to_networkx",
    "topology_kinds",
    "traffic",
    "validate",
    "validate_chunks",
    "validation_rules",
]
