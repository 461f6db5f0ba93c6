"""Packet logs: what traffic(packet_log="FILE.bin") writes, as an array."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from ._arrays import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PacketLog:
    """The packets of a run, in the order in which they arrived.

    `packets`: an array with the fields created_cycle, injected_cycle and ejected_cycle (0: lost to a fault),
    class and packet (its number among those of its class and source; of a trace its number there), source,
    destination, flits, and hops (channels between routers). Classes and processors are given by their index
    in `classes` and `processors`, which are their names. `cycle_ns`: what a cycle takes. `sample`, `seed`:
    one of so many packets in the mean was written, drawn with that seed.
    """

    packets: "NDArray[Any]"
    classes: tuple[str, ...]
    processors: tuple[str, ...]
    cycle_ns: float
    sample: int
    seed: int


def load_packets(path: Union[str, "os.PathLike[str]"]) -> PacketLog:
    """A binary packet log, mapped into memory and not read before it is used. ValueError for a file that is
    none, OSError for one that cannot be read, ImportError without NumPy."""
    np = numpy()
    with open(path, "rb") as file:
        line = file.readline()
        rest = os.fstat(file.fileno()).st_size - len(line)
    try:
        header = json.loads(line)
        if header["format"] != "nocturne-packets" or header["version"] != 1:
            raise ValueError
        dtype = np.dtype([(name, kind) for name, kind in header["fields"]])
        if header["record_bytes"] != dtype.itemsize or rest % dtype.itemsize != 0:
            raise ValueError
        packets = np.memmap(path, dtype, "r", len(line)) if rest else np.empty(0, dtype)
        return PacketLog(packets, tuple(header["classes"]), tuple(header["processors"]),
                         header["cycle_ns"], header["sample"], header["seed"])
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{os.fspath(path)}: no binary packet log, or not all of one") from None
