"""The command `nocturne` as the process that searches and simulates.

A process of its own each time, started and not forked: SystemC elaborates once in a process, and a fork of a
Python process with threads would be at the mercy of their locks.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Mapping, NoReturn, Sequence

from ._location import COMMAND


class WorkerError(RuntimeError):
    """The command cannot be started, a worker process was killed, or memory did not suffice: the input is
    not at fault."""


def command_path() -> Path:
    """The command: what the variable NOCTURNE names, or the one that was built with this package."""
    return Path(os.environ.get("NOCTURNE") or Path(__file__).parent / COMMAND)


def _environment() -> dict[str, str]:
    """What is preloaded into Python (the runtime of a sanitizer, say) is not for the command."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


def main() -> NoReturn:
    """Becomes the command: what pip installs as `nocturne`."""
    path = str(command_path())
    try:
        os.execve(path, ["nocturne", *sys.argv[1:]], _environment())
    except OSError as error:
        sys.exit(f"nocturne: {path}: {error.strerror}")


def command(arguments: Sequence[str], *, names: Mapping[str, str] = {},
            stacklevel: int = 2) -> dict[str, Any]:
    """Runs `nocturne ARGUMENTS --json` and returns the JSON object that it prints; also where a check failed
    (exit status 1). What it remarks, such as a routing that can deadlock, are warnings (`stacklevel`: as of
    warnings.warn). `names`: what files are called in all that it says. ValueError for bad input, WorkerError
    for a worker that died, KeyboardInterrupt after Ctrl-C: the command and its workers end before it is
    raised."""
    try:
        started = subprocess.Popen([str(command_path()), *arguments, "--json"], env=_environment(), text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise WorkerError(f"{command_path()}: {error.strerror}; NOCTURNE names the command") from None
    with started as process:
        try:
            out, errors = process.communicate()
        except BaseException:
            process.kill()  # its workers die with it
            process.wait()
            raise
    status = process.returncode
    if status in (0, 1) and out:
        for file, name in names.items():
            out = out.replace(json.dumps(file)[1:-1], json.dumps(name)[1:-1])
        document: dict[str, Any] = json.loads(out)
        for remark in document.get("made_by", {}).get("remarks", []):
            warnings.warn(remark, stacklevel=stacklevel)
        return document
    lines = errors.strip().splitlines() or [f"nocturne ended with status {status}"]
    line = lines[-1].removeprefix("nocturne: ")
    for file, name in names.items():
        line = line.replace(file, name)
    if status == 128 + signal.SIGINT:
        raise KeyboardInterrupt
    if status in (1, 2):
        raise ValueError(line)
    raise WorkerError(line)
