"""Writes commands.py of the package: a function for each command of `nocturne`, with the options as keyword
arguments, from what the command says of itself.

make_commands.py NOCTURNE FOLDER
"""

import json
import keyword
import re
import subprocess
import sys
import textwrap
from pathlib import Path

HEAD = '''"""The commands of nocturne as functions. Made by make_commands.py from the options of each."""

from __future__ import annotations

from typing import Optional

from ._call import Subject, Value, runs
from .results import Result
'''
TYPES = {"switch": "bool", "text": "Value", "count": "int", "real": "float"}
LEFT_OUT = ("help", "json", "wide")  # a function has a docstring, and its result is no text


def name_of(named):
    """Of a command or an option; `import_`: keywords of Python have an underscore behind them."""
    name = named["name"].replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def parameter_of(option):
    """`window: int = 10000`: the default is the command's, None where it has none."""
    kind, default = option["kind"], option["default"]
    if kind == "switch":
        return f"{name_of(option)}: bool = False"
    if not default:
        return f"{name_of(option)}: Optional[{TYPES[kind]}] = None"
    value = repr(default) if kind == "text" else default
    return f"{name_of(option)}: {TYPES[kind]} = {value}"


def in_words_of_python(text):
    return re.sub(r"--([a-z][a-z-]*[a-z])", lambda option: f"`{option[1].replace('-', '_')}`", text)


def wrapped(text, more=""):
    return textwrap.fill(" ".join(text.split()), 106, initial_indent=" " * 4,
                         subsequent_indent=" " * 4 + more, break_long_words=False, break_on_hyphens=False)


def docstring_of(command, options):
    summary = command["summary"]
    description = wrapped(in_words_of_python(command["description"]))
    lines = [f'    """{summary[0].upper()}{summary[1:]}.', "", description, ""]
    for option in options:
        needs = " or ".join(need.replace("-", "_") for need in option["needs"])
        only = f" (only with {needs})" if needs else ""
        first, *others = in_words_of_python(option["help"]).splitlines() or [""]
        lines.append(wrapped(f"`{name_of(option)}`{only}: {first}", "    "))
        # A list, such as that of the engines, stays one.
        lines += [textwrap.indent(wrapped(line, "    "), "    ") for line in others]
    return "\n".join([*lines, '    """']).replace("\\", "\\\\")


def function_of(command):
    first, others = None, []
    for option in command["options"]:
        if option["name"] == command["argument"]:
            first = option
        elif option["name"] not in LEFT_OUT:
            others.append(option)
    kind = "Optional[Subject] = None" if command["alternative"] else "Subject"
    parameters = [f"{name_of(first)}: {kind}", "*", *map(parameter_of, others)]
    repeated = tuple(name_of(option) for option in command["options"] if option["is_repeated"])
    lines = [f'@runs("{command["name"]}"{f", repeated={repeated!r}" if repeated else ""})',
             f'def {name_of(command)}(', *(f"    {parameter}," for parameter in parameters), ") -> Result:",
             docstring_of(command, [first, *others]), "    raise NotImplementedError"]
    return "\n".join(lines) + "\n"


def main():
    nocturne, folder = sys.argv[1], Path(sys.argv[2])

    def said_of(what):
        said = subprocess.run([nocturne, "man", what, "--json"], check=True, capture_output=True, text=True)
        return json.loads(said.stdout)[what]

    commands = said_of("commands")
    names = "\n".join(f'    "{name_of(command)}",' for command in commands)
    functions = "\n\n".join(function_of(command) for command in commands)
    (folder / "commands.py").write_text(f"{HEAD}\n__all__ = [\n{names}\n]\n\n\n{functions}")
    (folder / "results.json").write_text(json.dumps({kind["name"]: kind for kind in said_of("results")}))


if __name__ == "__main__":
    main()
