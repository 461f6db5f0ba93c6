"""The file of a command's main result, and the values in it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from ._core import Topology, load_chunks, load_result

_OF_MESSAGES = ("problem", "schedule", "bound")
# Of each kind of result whose file has more than the command prints: what is in the file.
_VALUES: dict[str, tuple[str, ...]] = {
    "design": ("network",), "bound": _OF_MESSAGES, "schedule": _OF_MESSAGES, "reschedule": _OF_MESSAGES,
    "evolve": _OF_MESSAGES}
_OF_CHUNKS: dict[str, tuple[str, ...]] = {"schedule": ("schedule", "network")}


@dataclass(frozen=True)
class ResultFile:
    """What a command wrote with --output. `suffix`: how its name ends, which says in what format it is."""

    suffix: str
    content: bytes
    of_chunks: bool = False

    def values(self, kind: str) -> dict[str, Any]:
        """The values of names_in()."""
        with tempfile.TemporaryDirectory(prefix="nocturne-") as folder:
            path = Path(folder, f"result{self.suffix}")
            path.write_bytes(self.content)
            if kind == "design":
                return {"network": Topology(str(path))}
            read = load_chunks(path)[:2] if self.of_chunks else load_result(path)
            return dict(zip(names_in(self, kind), read))


def names_in(file: Optional[ResultFile], kind: str) -> tuple[str, ...]:
    """Of the values in the file of a result of this kind; none without a file."""
    if not file:
        return ()
    return (_OF_CHUNKS if file.of_chunks else _VALUES).get(kind, ())
