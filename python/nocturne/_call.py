"""The commands as functions: what makes a call of the command of their arguments, and values of its files."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import re
import sqlite3
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Optional, ParamSpec, Protocol, Sequence, Union

from ._command import WorkerError, command
from ._core import Problem
from ._files import ResultFile
from .results import Result, Rows, objective_of, result_of

P = ParamSpec("P")


class Savable(Protocol):
    """What writes itself into a file: a Topology, a Schedule, a Result that has one."""

    def save(self, path: str) -> None: ...


#: A value of an option: a text or a number, several of them, or what a file can hold.
Value = Union[str, "os.PathLike[str]", float, Iterable[object], Savable]
#: What a command works on.
Subject = Union[Value, Problem]

# Commands whose main result is a file that has more than they print, and what it is called.
_WITH_FILE = {"report": "report.html",
              **dict.fromkeys(("design", "bound", "schedule", "reschedule", "evolve"), "result.json")}


def runs(name: str, *, repeated: Sequence[str] = ()) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """Makes of a signature the function that runs the command of this name with the arguments that a call
    gives; defaults are only shown. `repeated`: arguments whose values are given one by one."""
    def runs_it(function: Callable[P, Result]) -> Callable[P, Result]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> Result:
            try:
                given = signature.bind(*args, **kwargs).arguments
            except TypeError as error:
                raise TypeError(f"{name}() {error}{_hint_on(name, signature, kwargs)}") from None
            return _run(name, given, repeated)
        return call
    return runs_it


def _hint_on(name: str, signature: inspect.Signature, given: Mapping[str, Any]) -> str:
    """What the command says of the first option that it does not have: `: did you mean 'load'?`"""
    unknown = next((argument for argument in given if argument not in signature.parameters), None)
    if unknown is None:
        return ""
    option = _words_of(unknown, "1", False)[0]
    try:
        command([name, option])
    except (ValueError, WorkerError) as error:
        said = str(error).partition(f"'{option}': ")[2]
        return f": {_in_words_of_python(said, {}, {})}" if said else ""
    return ""


def _run(name: str, given: dict[str, Any], repeated: Sequence[str]) -> Result:
    with tempfile.TemporaryDirectory(prefix="nocturne-") as folder:
        options: dict[str, Any] = {}
        names: dict[str, str] = {}  # of the values that became files
        for argument, value in given.items():
            if isinstance(value, Problem):
                options.update(_options_of(value))
                value = value.topology
            if hasattr(value, "save"):
                value = _file_of(value, folder, argument, names)
            elif isinstance(value, (list, tuple)):
                value = [_file_of(each, folder, f"{argument}-{i}", names) if hasattr(each, "save") else each
                         for i, each in enumerate(value, 1)]
            options[argument] = value
        file = os.path.join(folder, _WITH_FILE.get(name, "result.json"))
        if name in _WITH_FILE and not {"table", "format"} & options.keys():
            names[file] = os.path.basename(file)
            file = os.fspath(options.setdefault("output", file))
        before = _when_written(file)
        arguments = [word for argument, value in options.items()
                     for word in _words_of(argument, value, argument in repeated)]
        try:
            document = command([name, *arguments], names=names, stacklevel=4)
        except ValueError as error:
            raise ValueError(_in_words_of_python(str(error), options, names)) from None
        if document["result"] == "sweep":
            return result_of(document, rows=_rows_of(document["database"]))
        if _when_written(file) == before or file.endswith((".svg", ".png", ".pdf")):
            return result_of(document)
        of_chunks = document.get("ports", "") is None  # memories send to each other
        written = ResultFile(Path(file).suffix, Path(file).read_bytes(), of_chunks)
        return result_of(document, written, **(_bound_of_chunks(document) if of_chunks else {}))


def _bound_of_chunks(document: Mapping[str, Any]) -> dict[str, Result]:
    """The bound of the objective: of time, of bandwidth (rounds) or of steps."""
    of_objective = {"time": "time_cycles", "bandwidth": "rounds", "steps": "steps"}
    objective = objective_of(document)
    rows = [row for row in document.get("bounds") or []
            if objective and row[of_objective[objective]] is not None]
    return {"bound": Result(rows[0], "bound row")} if rows else {}


def _file_of(value: Savable, folder: str, stem: str, names: dict[str, str]) -> str:
    if isinstance(value, Result) and value._kind == "sweep" and os.path.isfile(value.database):
        return str(value.database)  # has the points, too
    suffix = value._suffix() if isinstance(value, Result) else ".json"
    file = os.path.join(folder, stem + suffix)
    value.save(file)
    names[file] = getattr(value, "name", "") or stem
    return file


def _when_written(file: str) -> Optional[int]:
    return os.stat(file).st_mtime_ns if os.path.isfile(file) else None


def _words_of(argument: str, value: Any, is_repeated: bool) -> list[str]:
    """An option of the command: True is a switch, a list is its values with commas between, or the option
    again for each of them; None and False are left out."""
    option = "--" + argument.rstrip("_").replace("_", "-")  # `class_`: a keyword of Python
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    several = [value] if isinstance(value, str) or not hasattr(value, "__iter__") else list(value)
    if is_repeated:
        return [f"{option}={each}" for each in several]
    return [f"{option}={','.join(str(each) for each in several)}"]


def _options_of(problem: Problem) -> dict[str, Any]:
    """What poses the problem on a network."""
    collective = problem.collective
    by_index = {name: [f"#{processor}" for processor in getattr(collective, name)] or None
                for name in ("senders", "receivers", "image", "group")}
    return {"collective": collective.kind,
            "source": None if collective.source is None else f"#{collective.source}", **by_index,
            "weights": collective.weights or None,
            "chunks": collective.parts if collective.parts > 1 else None,
            # What is usual is not said: schedules by time have neither.
            "ports": problem.ports if problem.ports != problem.topology.default_ports else None,
            "switching": problem.switching if problem.switching != "wormhole" else None,
            "slack": problem.slack}


def _rows_of(database: str) -> Rows:
    """The results of a sweep, one for each row: the point with its settings, and what was measured."""
    place = f"{Path(database).resolve().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(place, uri=True)) as opened:
        cursor = opened.execute("SELECT * FROM results")
        names = [column[0] for column in cursor.description]
        return Rows([Result(dict(zip(names, row))) for row in cursor])


def _in_words_of_python(text: str, options: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The line of the command with the arguments as they are called here, but for whole lines to type. It
    begins with the one at fault, if the command named it, or has its value in it."""
    text = re.sub("; see 'nocturne .*--help'$", "", text)
    text = re.sub("'nocturne ([a-z]+) --([a-z]+)'", r"nocturne.\1(\2=True)", text)  # a switch alone
    named = re.sub("('nocturne [^']*')|--([a-z][a-z-]*[a-z])",
                   lambda found: found[1] or str(found[2]).replace("-", "_"), text)
    fault = _argument_at_fault(text, options, names) if named == text else None
    return f"{fault}: {named}" if fault else named


def _argument_at_fault(text: str, options: Mapping[str, Any], names: Mapping[str, str]) -> Optional[str]:
    for argument, value in options.items():
        several = value if isinstance(value, (list, tuple)) else [value]
        for each in several:
            name = names.get(each, str(each)) if isinstance(each, str) else str(each)
            if f"'{name}'" in text or text.startswith(f"{name}:"):
                return argument
    return None
