"""Runs a testbench: what it measures, beside what is expected, as tables and pictures.

A testbench is a folder with `testbench.toml`: its settings, what of them is different with --quick, the
tables of expected results with their tolerances, limits of columns, and pictures. `measure.py` beside it has
a function measure(bench) that returns the tables by name; without one, the program of the folder's name
measures.
"""
import argparse
import csv
import importlib
import io
import os
import pathlib
import sys
import tomllib

sys.dont_write_bytecode = True  # no folders in the source tree
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import commands  # noqa: E402
import pictures  # noqa: E402
import tables  # noqa: E402

MOST_LINES = 40  # of what failed
TESTBENCHES = pathlib.Path(__file__).resolve().parent.parent


class Bench(commands.Commands):
    """What measure() is given: settings, rows of the testbench's files, commands, and where to say what
    failed."""

    def __init__(self, name, spec, options):
        super().__init__(options.build, options.workers)
        self.name, self.place, self.only = name, TESTBENCHES / name, options.only
        self.settings = spec.get("settings", {})
        self.output = pathlib.Path(options.output) if options.output else None
        self.failed = []
        self.files = {}  # names and texts, for the output folder
        self.reported = []  # files of results, for the page, in the place of the tables
        self.left_out = set()  # tables that the settings do not ask for

    def fail(self, text):
        """Says what is not as it should be: the testbench ends with status 1."""
        self.failed.append(text)

    def skip(self, why):
        """Ends the testbench with one line and status 0."""
        raise commands.Skipped(why)

    def rows(self, file):
        """The rows of a CSV file of the testbench that have the text of --only in them."""
        path = self.place / file
        found = [row for row in tables.read(path) if self.only in " ".join(row.values())]
        if not found:
            raise ValueError(f"--only {self.only}: no row of {os.path.relpath(path)} has this")
        return found

    def measured_tables(self):
        """The tables of the testbench's own program; what it says has failed is noted, and its files are
        kept. It gets the settings, the rows of a CSV file in the place of its name."""
        settings = {name: tables.read(self.place / value) if str(value).endswith(".csv") else value
                    for name, value in self.settings.items()}
        found = self.program(self.name, {**settings, "only": self.only, "workers": self.workers,
                                         "folder": str(self.place)})
        self.failed += found["failed"]
        self.files.update(found["files"])
        return {name: list(csv.DictReader(io.StringIO(text))) for name, text in found["tables"].items()}

    def chosen(self, names):
        """Those of the names that have the text of --only in them."""
        found = [name for name in names if self.only in name]
        if not found:
            raise ValueError(f"--only {self.only}: none of {', '.join(names)}")
        return found


def merged(spec, changes):
    """The specification with other values, members of members too."""
    result = dict(spec)
    for name, value in changes.items():
        result[name] = merged(result[name], value) if isinstance(value, dict) and name in result else value
    return result


def setting_of(text, settings):
    """`budget=5` as {"budget": 5}: a value of the kind that the setting has."""
    name, equals, value = text.partition("=")
    if not equals or name not in settings:
        raise ValueError(f"--set {text}: expected one of {', '.join(settings)}, = and its value")
    kind = type(settings[name])
    try:
        return {name: value.split(",") if kind is list else kind(value)}
    except ValueError:
        raise ValueError(f"--set {text}: expected {kind.__name__}") from None


def measured_by(place):
    """The function measure() of the testbench, or that which has its program measure."""
    file = place / "measure.py"
    if not file.exists():
        return Bench.measured_tables
    sys.path.insert(0, str(place))
    return importlib.import_module("measure").measure


def failures(bench, found, spec):
    """What measure() said, and what is not as expected or beyond its limits."""
    lines = list(bench.failed)
    for name, expected in spec.get("expected", {}).items():
        if name in bench.left_out:
            continue
        if name not in found:
            lines.append(f"there is no table {name}")
            continue
        file = bench.place / expected["file"]
        complete = not bench.only and expected.get("complete", True)
        wrong = tables.differences(found[name], tables.read(file), expected, complete)
        lines += [f"{os.path.relpath(file)}: {line}" for line in wrong]
        print(f"{len(found[name])} rows of {name} beside {os.path.relpath(file)}: {len(wrong)} differences")
    for limit in spec.get("limits", []):
        if limit["table"] in found:
            lines += tables.beyond_limits(found[limit["table"]], limit)
    return lines


def write_results(bench, found, spec):
    """A CSV file for each table, the files of the testbench, and the pictures."""
    bench.output.mkdir(parents=True, exist_ok=True)
    names = []
    for name, rows in found.items():
        names.append(tables.file_name(f"{name}.csv"))
        tables.write(bench.output / names[-1], rows)
    files = dict(bench.files)
    for picture in spec.get("pictures", []):
        files.update(pictures.draw_all(picture, found.get(picture["table"], [])))
    for name, text in files.items():
        names.append(tables.file_name(name))
        (bench.output / names[-1]).write_text(text, encoding="utf-8")
    if spec.get("page", True):
        looks = spec.get("tables", {})
        names += write_page(bench, [bench.output / tables.file_name(f"{name}.csv") for name in found
                                    if looks.get(name, {}).get("on_page", True)])
    print(f"In {bench.output}/: {' '.join(names)}")


def write_page(bench, tables_written):
    """A page of what measure() reported, or else of the tables, where the command is built; its name. Its
    headlines are printed."""
    files = bench.reported or [table for table in tables_written if table.stat().st_size > 0]
    if not files or not bench.nocturne_file.exists():
        return []
    page = bench.nocturne("report", file=files, output=bench.output / "report.html",
                          title=bench.name.replace("_", " ").capitalize())
    print(*page["headlines"], "", sep="\n")
    print(f"Open {bench.output / 'report.html'} in a browser: all of this on one page")
    return ["report.html"]


def run(name, options):
    """Measures, prints, writes and judges; the exit status."""
    place = TESTBENCHES / name
    if not (place / "testbench.toml").exists():
        known = sorted(file.parent.name for file in TESTBENCHES.glob("*/testbench.toml"))
        raise ValueError(f"no testbench '{name}': {', '.join(known)}")
    spec = tomllib.loads((place / "testbench.toml").read_text(encoding="utf-8"))
    if options.quick:
        spec = merged(spec, spec.get("quick", {}))
        options.only = options.only or spec.get("only", "")
    for text in options.set:
        spec["settings"].update(setting_of(text, spec["settings"]))
    bench = Bench(name, spec, options)
    found = measured_by(place)(bench)
    for table, rows in found.items():
        look = spec.get("tables", {}).get(table, {})
        if look.get("shown", True):
            tables.show(look.get("title", table), rows, look.get("hidden", ()))
    print()
    if bench.output:
        write_results(bench, found, spec)
    lines = failures(bench, found, spec)
    sys.stdout.flush()
    for line in lines[:MOST_LINES]:
        print(f"{name}: {line}", file=sys.stderr)
    if len(lines) > MOST_LINES:
        print(f"{name}: and {len(lines) - MOST_LINES} more", file=sys.stderr)
    print(f"{name}: {'all as expected' if not lines else f'{len(lines)} failed'}")
    return 1 if lines else 0


def main():
    parser = argparse.ArgumentParser(prog="driver", description=__doc__.splitlines()[0])
    parser.add_argument("name", help="of the testbench")
    parser.add_argument("--quick", action="store_true", help="a part of it, for tests")
    parser.add_argument("--only", default="", metavar="TEXT", help="only rows that have this text in them")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another setting")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0: one for each core")
    parser.add_argument("--output", metavar="FOLDER", help="for tables and pictures")
    parser.add_argument("--build", default="build/release", metavar="FOLDER", help="where the programs are")
    options = parser.parse_args()
    try:
        return run(options.name, options)
    except KeyboardInterrupt:
        return 130
    except commands.Skipped as why:
        print(f"{options.name}: skipped: {why}")
        return 0
    except commands.Refused as refused:
        return refused.status if refused.status > 0 else 128 - refused.status
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        what = f"nothing is called {error}" if isinstance(error, KeyError) else error
        print(f"{options.name}: {what}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
