"""What testbenches run: sweeps and single calls of `nocturne`, and programs of their own that measure."""
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile


class Refused(Exception):
    """A program has ended with another status than 0 or 1, and has said why."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


class Skipped(Exception):
    """What a testbench needs is not there, and is no part of this project."""


def as_text(value):
    """The value as the JSON of a sweep file can have it."""
    return str(value) if isinstance(value, pathlib.Path) else value


def is_said(value):
    """Is there an option of this value? None, False, an empty text and an empty list leave it out."""
    return value is not None and value is not False and value not in ("", [])


class Outcome(dict):
    """The JSON of a call, with its exit `status`, its `error` (one line, or nothing), the `seconds` that
    it took on the clock, and the most memory that one of its processes had (`mebibytes`; of a single call
    only)."""

    def __init__(self, document, status, error, seconds=0.0, mebibytes=0.0):
        super().__init__(document)
        self.status, self.error, self.seconds, self.mebibytes = status, error, seconds, mebibytes


class Commands:
    """Calls of the programs in a folder of a build; files of their own are in `folder`, which is gone at
    the end."""

    def __init__(self, build, workers):
        self.build, self.workers = pathlib.Path(build), workers
        self.nocturne_file = self.build / "sim/cli/nocturne"
        self.temporary = tempfile.TemporaryDirectory(prefix="nocturne_testbench_")
        self.folder = pathlib.Path(self.temporary.name)
        self.sweeps = 0

    def _run(self, words, remarks=True):
        """Exit status, standard output, and the most memory of a process; errors and, if asked for, remarks
        go on to the terminal."""
        if not os.access(words[0], os.X_OK):
            raise FileNotFoundError(f"{words[0]}: no such program: ./run build")
        said = None if remarks else (self.folder / "said").open("w+", encoding="utf-8")
        with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=said,
                              text=True) as process:
            out = process.stdout.read()
            _, end, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(end)
        if said:
            with said:
                said.seek(0)
                if process.returncode not in (0, 1):
                    sys.stderr.write(said.read())
        return process.returncode, out, usage.ru_maxrss / 1024

    def _call(self, command, options):
        """Status, output and memory of a call of `nocturne`."""
        words = [self.nocturne_file, command]
        for name, value in options.items():
            for each in value if isinstance(value, list) else [value]:
                if is_said(each):
                    words += [f"--{name.replace('_', '-')}", *([] if each is True else [each])]
        status, out, mebibytes = self._run(words)
        if not out:
            raise Refused(status)
        return status, out, mebibytes

    def nocturne(self, command, **options):
        """The JSON of a single call. Options have the names of the command line, `_` for `-`; a list is an
        option that is given several times, True a switch, None or an empty text an option that is left
        out."""
        status, out, mebibytes = self._call(command, {"json": True, **options})
        document = json.loads(out)
        return Outcome(document, status, "", document.get("seconds", 0.0), mebibytes)

    def text(self, command, **options):
        """What a single call prints without --json."""
        return self._call(command, options)[1]

    def sweep(self, command, points, kept=None, may_fail=False, remarks=True, **options):
        """The outcomes of a sweep with a point for each of `points`, dicts of options as nocturne() takes
        them. With `kept`, a file, its database stays there, and the same call goes on where it was
        interrupted. A file that a point writes has the number of the point in its name, `{point}`;
        sweep_file() names such files. A point that is refused is an error, unless it may fail. Without
        `remarks` the terminal gets none, such as those that every point has."""
        if not points:
            return []
        self.sweeps += 1
        database = kept or self.folder / f"sweep_{self.sweeps}.db"
        blocks = [{name.replace("_", "-"): [value] if isinstance(value, list) else as_text(value)
                   for name, value in point.items() if is_said(value)} for point in points]
        plan = {"command": command, "columns": ["steps"], "sweep": blocks}
        plan["options"] = {name.replace("_", "-"): value for name, value in options.items() if is_said(value)}
        file = self.folder / f"sweep_{self.sweeps}.json"
        file.write_text(json.dumps(plan), encoding="utf-8")
        status, _, _ = self._run([self.nocturne_file, "sweep", file, "--output", database,
                                  "--workers", self.workers], remarks)
        if status not in (0, 1):
            raise Refused(status)
        with sqlite3.connect(database) as connection:
            rows = connection.execute(
                "SELECT status, error, document, seconds, members FROM documents JOIN clock USING (point) "
                "ORDER BY point").fetchall()
        outcomes = []
        for point, (status, error, document, seconds, members) in zip(blocks, rows):
            if not document and status > 1 and not may_fail:
                raise RuntimeError(f"nocturne {command}, {point}: {error}")
            outcomes.append(Outcome({**json.loads(document or "{}"), **json.loads(members or "{}")},
                                    status, error or "", seconds))
        return outcomes

    def sweep_file(self, name, ending="json"):
        """A file for each point of a sweep, `{point}` in its name; file_of() is that of one point."""
        return self.file_of(name, "{point}", ending)

    def file_of(self, name, point, ending="json"):
        """The file that sweep_file() has for this point."""
        return self.folder / f"{name}-{point}.{ending}"

    def program(self, name, settings):
        """What a testbench's own program measured: it gets the settings, and prints JSON."""
        file = self.build / "testbenches" / name / name
        status, out, _ = self._run([file, json.dumps(settings)])
        if status != 0:
            raise Refused(status)
        return json.loads(out)
