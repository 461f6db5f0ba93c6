"""Nocturne, a network-on-chip simulator with schedule validation, for Python.

Networks, problems, schedules, bounds and violations are immutable values. Each command of `nocturne` is a
function with its options as keyword arguments, and a result whose attributes are the fields of the command's
JSON, with NumPy arrays; a notebook shows it as tables and curves. What searches or simulates runs in a
process of its own, so it may be called as often as you like, from several threads too, and Ctrl-C ends it.
Bad input is a ValueError with one line that names the argument.
"""

from . import _display
from . import commands as _commands
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
    __version__,
    check_bound,
    claimed_bound,
    load_chunks,
    load_result,
    topology_kinds,
    validation_rules,
)
from .commands import *
from .graphs import from_channels, from_networkx, to_networkx
from .packets import PacketLog, load_packets
from .plots import Plot, draw, plot
from .results import Comparison, Field, Result, Rows, fields

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
    "PacketLog",
    "Plot",
    "Problem",
    "Result",
    "Rows",
    "Schedule",
    "Topology",
    "Transfer",
    "Violation",
    "WorkerError",
    "__version__",
    "check_bound",
    "claimed_bound",
    "command",
    "draw",
    "fields",
    "from_channels",
    "from_networkx",
    "load_chunks",
    "load_packets",
    "load_result",
    "plot",
    "to_networkx",
    "topology_kinds",
    "validation_rules",
]
__all__ += _commands.__all__
