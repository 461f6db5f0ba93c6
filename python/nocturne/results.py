"""What searches and simulations return: the JSON of the command, its fields as attributes. `nocturne man
results` and fields() explain them; every figure says its unit in its name or there."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Sequence

from ._arrays import numpy
from ._files import ResultFile, names_in


MOST_FIELDS = 6  # of the line that stands for rows

# Of each kind that is a series: the field that is a list of its rows, which may be a series again.
SERIES = {"traffic": "curves", "curve": "points", "closed loops": "closed_loop", "replay": "replays",
           "compare": "runs", "front": "points", "audit": "rows", "faults": "cells", "chunk faults": "cells",
           "collectives at once": "collectives", "evolve": "runs", "recover": "phases", "benes": "points",
           "contracts": "contracts", "network kinds": "networks", "import": "settings", "sweep": "rows"}


def objective_of(fields: Mapping[str, Any]) -> str:
    """`time`, `bandwidth` or `steps` of a search in chunks, with which its problem ends; empty for
    other results."""
    words = str(fields.get("problem") or "").rpartition(", for ")
    return words[2] if words[2] in ("time", "bandwidth", "steps") else ""


def _flat(fields: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """The fields of results inside it with the name of that one before theirs; lists of results left out."""
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{before}{name}_"))
        elif not (isinstance(value, list) and (not value or isinstance(value[0], dict))):
            flat[before + name] = value
    return flat


def _frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """A pandas.DataFrame without the columns that are None in all rows."""
    try:
        import pandas  # type: ignore
    except ImportError:
        raise ImportError("to_pandas() needs pandas, which is not installed: apt install python3-pandas, "
                          "or pip install pandas") from None
    return pandas.DataFrame([dict(row) for row in rows]).dropna(axis="columns", how="all")


class Result(Mapping[str, Any]):
    """One result. A field is an attribute, and a member as of a dict: lists of numbers are NumPy arrays,
    results inside it are results, and lists of them are Rows. What is null in JSON is None. Beside its fields
    a search has the values of its file: `schedule`, `bound`, `network`.

    Results are equal if their fields are; `made_by`, which says how one was made, is none of them.
    """

    def __init__(self, document: Mapping[str, Any], kind: str = "",
                 file: Optional[ResultFile] = None, **others: Any) -> None:
        self._document = document
        self._kind = kind
        self._file = file
        self._others = others
        self._values: dict[str, Any] = dict(others)  # what has been asked for

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no field '{name}': there are {', '.join(self)}") from None

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            if self._file and name in names_in(self._file, self._kind):
                self._values.update(self._file.values(self._kind))
            else:
                self._values[name] = _value_of(self._document[name], self._kind, name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._document, *names_in(self._file, self._kind), *self._others]))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._kind == other._kind and self._fields() == other._fields()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_values": dict(self._others)}  # the others can be made again

    def __repr__(self) -> str:
        """One line: the main figures, and how many fields there are."""
        from ._display import line_of

        return line_of(self)

    def _fields(self) -> dict[str, Any]:
        return {name: value for name, value in self._document.items() if name not in ("made_by", "result")}

    def _repr_html_(self) -> str:
        from ._display import html_of

        return html_of(self)

    def to_pandas(self) -> Any:
        """As Rows.to_pandas(), of a series: a row for each point of each load curve, size of a replay, run
        of a comparison, point of a sweep, with the plain fields of the whole before its own. One row for any
        other result, such as a schedule."""
        return _frame(list(self._flat_rows({})))

    def _flat_rows(self, whole: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        plain = {**whole, **_flat(self._fields())}
        rows = self.get(SERIES.get(self._kind, ""))
        if not isinstance(rows, Rows):
            yield plain
            return
        for row in rows:
            yield from row._flat_rows(plain)

    def _suffix(self) -> str:
        """How the name of its file ends."""
        return self._file.suffix if self._file else ".json"

    def save(self, path: str) -> None:
        """Writes the file that the command writes with --output: a schedule with its bound, a network, a
        page; of a command without one what it prints with --json. Such a result can be given to another
        command as it is."""
        text = json.dumps(dict(self._document), indent=2, ensure_ascii=False) + "\n"
        Path(path).write_bytes(self._file.content if self._file else text.encode())


class Rows(Sequence[Result]):
    """Results of one kind. A field is the array of it over all of them, with nan for None among numbers."""

    def __init__(self, rows: Sequence[Result]) -> None:
        self._rows = list(rows)

    def __getitem__(self, index: Any) -> Any:
        return Rows(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        values = [getattr(row, name) for row in self._rows]
        has_numbers = any(isinstance(value, (int, float)) for value in values)
        np = numpy()
        return np.array([np.nan if value is None and has_numbers else value for value in values])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self._rows == other._rows

    def __repr__(self) -> str:
        kind = self._rows[0]._kind or "result" if self._rows else "result"
        names = list(dict.fromkeys(name for row in self._rows[:MOST_FIELDS] for name in row))
        more = ", …" if len(names) > MOST_FIELDS else ""
        return f"<{len(self)} rows of {kind}: {', '.join(names[:MOST_FIELDS])}{more}>"

    def to_pandas(self) -> Any:
        """A pandas.DataFrame, a row for each result: its plain fields, those of results inside it with the
        name of that one before theirs (`latency_mean`), and lists of numbers as they are. Fields that are
        None in all rows are left out. ImportError without pandas."""
        return _frame([_flat(row._fields()) for row in self._rows])

    def _repr_html_(self) -> str:
        from ._display import html_of

        return html_of(self)


class Comparison(Result):
    """What compare() returns: its `runs` also by traffic."""

    @property
    def by_traffic(self) -> dict[str, Rows]:
        """Runs by size for each traffic, `schedule` (barrier) first; a traffic that ran under several
        routings has their names behind its own (`shifted, adaptive`)."""
        routings: dict[str, set[str]] = {}
        for run in self.runs:
            routings.setdefault(run.traffic, set()).add(run.routing)
        sorted_runs: dict[str, list[Result]] = {}
        for run in self.runs:
            name = run.traffic if len(routings[run.traffic]) == 1 else f"{run.traffic}, {run.routing}"
            sorted_runs.setdefault(name, []).append(run)
        return {name: Rows(runs) for name, runs in sorted_runs.items()}

    @property
    def time_ns(self) -> dict[str, Any]:
        """Times by traffic and size; nan where a run did not end well."""
        np = numpy()
        return {name: np.array([run.time_ns if run.outcome == "ok" else np.nan for run in runs])
                for name, runs in self.by_traffic.items()}

    @property
    def strongest(self) -> Rows:
        """The fastest run without a schedule for each size for which one ended well."""
        return Rows([run for run in self.runs if run.strongest])


@dataclass(frozen=True)
class Field:
    """What is said of a field of a result. `parts`: the kind of the results that it holds, or None."""

    unit: str
    meaning: str
    parts: str | None


@functools.lru_cache(maxsize=None)
def _kinds() -> dict[str, dict[str, Field]]:
    """All kinds of results, as the command that was built with the package describes them."""
    described = json.loads((Path(__file__).parent / "results.json").read_text(encoding="utf-8"))
    return {name: {field["name"]: Field(field["unit"], field["meaning"], field["parts"])
                   for field in kind["fields"]} for name, kind in described.items()}


def fields(kind: str) -> dict[str, Field]:
    """The fields of a kind of result ('traffic', 'load point': see nocturne man results) by their names."""
    if kind not in _kinds():
        raise ValueError(f"kind: no kind of result '{kind}': there are {', '.join(_kinds())}")
    return dict(_kinds()[kind])


def result_of(document: Mapping[str, Any], file: Optional[ResultFile] = None, **others: Any) -> Result:
    """What a command printed, with what it wrote into a file."""
    kind = document.get("result", "")
    return (Comparison if kind == "compare" else Result)(document, kind, file, **others)


def _value_of(value: Any, kind: str, name: str) -> Any:
    field = _kinds().get(kind, {}).get(name)
    parts = field.parts or "" if field else ""
    if isinstance(value, dict):
        return Result(value, parts)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return Rows([Result(row, parts) for row in value])
    if isinstance(value, list) and value and isinstance(value[0], (int, float)):
        return numpy().array(value)
    return value
