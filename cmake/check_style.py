#!/usr/bin/env python3
"""The style check: clang-format over every source file, clang-tidy over the modules.

  cmake/check_style.py BUILD_DIRECTORY [--all]   BUILD_DIRECTORY is configured: it has a compile_commands.json
  cmake/check_style.py --stale                   prints the groups of modules that are to be analysed

Prints each finding and a summary; exit status 1 if there is a finding, 2 for bad use.

Most of clang-tidy's time is for the headers of the libraries, so the modules of a group are analysed as one
translation unit; names in their unnamed namespaces have to differ. A group without findings leaves its
fingerprint in cmake/clang_tidy_fingerprints.txt, which is committed, and is analysed again when one of its files
changes, or a header of ours that they include, or .clang-tidy. With --all every group is.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# One version, whatever compiles: others find other things. Debian 12 and 13 and Ubuntu 24.04 have it.
VERSION = 19
FORMAT = f"clang-format-{VERSION}"
TIDY = f"clang-tidy-{VERSION}"
FINGERPRINTS = Path("cmake/clang_tidy_fingerprints.txt")
FORMATTED = ["models", "schedules", "sim", "python", "testbenches", "tests"]
# What is in none of these is a group by itself. Tests, testbenches and the Python package are not analysed.
GROUPS = {
    "networks": r"models/(text|topology|routing|measures|traffic|benes|energy)",
    "hardware": r"models/(network|endpoints|hardware|worm|fabric)",
    "schedules": r"schedules/(collective|problem|schedule)",
    "certificates": r"schedules/(certificate|satisfiability|slots)",
    "bounds": r"schedules/(flows|bounds|constructions|symmetry)",
    "chunks": r"schedules/(chunk_(search|bounds|trees|flows)|formats)",
    "search": r"schedules/(workers|ranks|search|evolution)",
    "engines": r"schedules/(scatter|broadcast|portfolio|reschedule|design)",
    "runs": r"sim/(report|result_files|evolution|simulation|execution|replay|traffic)",
    "experiments": r"sim/(recovery|benes|contracts|design|rtl|sweep|page)",
    "command": r"sim/cli",
}
MODULE = re.compile(r"((?:models|schedules|sim)/\w+)/")


def group_of(file):
    """`file` is a path from the top of the project."""
    module = MODULE.match(file)
    if not module:
        return None
    for name, pattern in GROUPS.items():
        if re.fullmatch(pattern, module[1]):
            return name
    return module[1].replace("/", "_")


def grouped_sources():
    groups = {}
    for folder in ("models", "schedules", "sim"):
        for file in sorted(Path(folder).glob("*/*.cpp")):
            groups.setdefault(group_of(str(file)), []).append(str(file))
    return groups


def with_headers(sources):
    """The sources and all of our headers that they lead to."""
    reached, next_ones = set(), list(sources)
    while next_ones:
        file = next_ones.pop()
        if file not in reached and os.path.exists(file):
            reached.add(file)
            next_ones += re.findall(r'^#include "([^"]+)"', Path(file).read_text(), re.MULTILINE)
    return sorted(reached)


def fingerprint(sources):
    """What the verdict on a group depends on."""
    digest = hashlib.sha256(f"{TIDY}\n".encode() + Path(".clang-tidy").read_bytes())
    for file in with_headers(sources):
        digest.update(f"\n{file}\n".encode() + Path(file).read_bytes())
    return digest.hexdigest()[:32]


def known_fingerprints():
    return dict(line.split() for line in FINGERPRINTS.read_text().splitlines()) if FINGERPRINTS.exists() else {}


def unformatted():
    """Findings of clang-format, a line each."""
    files = sorted(str(file) for folder in FORMATTED for file in Path(folder).rglob("*.[ch]pp"))
    # Many files a process: starting one for each takes longer than all the formatting.
    shares = [files[i:i + 64] for i in range(0, len(files), 64)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(lambda share: subprocess.run([FORMAT, "--dry-run", "--Werror", *share],
                                                          capture_output=True, text=True), shares))
    said = "".join(run.stderr for run in runs if run.returncode != 0)
    named = sorted(set(re.findall(r"^(.*\.[ch]pp):\d+:\d+: error: code should be clang-formatted", said, re.MULTILINE)))
    # Without a name it is clang-format itself that failed.
    return len(files), [f"{file}: is not formatted; run {FORMAT} -i {file}" for file in named] or said.splitlines()


def write_database(build, groups, folder):
    """For each group a file that includes its sources, and its entry in a compile database: the first one's command
    with what the others define and where they look for headers."""
    folder.mkdir(exist_ok=True)
    flags, entries = {}, {}
    root = os.getcwd()
    for entry in json.loads(Path(build, "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        words = words[next(i for i, word in enumerate(words) if re.search(r"(^|/)(clang|g)\+\+", word)):]
        file = os.path.relpath(entry["file"], root)
        file = os.path.relpath(file, os.path.relpath(build, root)) if "/Unity/" in file else file
        group = group_of(file)
        if group not in groups:
            continue
        entries.setdefault(group, entry["directory"])
        known = flags.setdefault(group, [])
        takes = iter(words[1:])
        for word in takes:
            if word == "-isystem":
                word += next(takes)
            if re.match(r"-(D|I|isystem|std=)", word) and word not in known:
                known.append(word)
    database = []
    for group, sources in groups.items():
        if group not in flags:
            continue  # is not configured: without MPI
        unit = folder / f"group_{group}.cpp"
        unit.write_text("".join(f'#include "{os.path.join(root, source)}"\n' for source in sources))
        warnings = "-Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual".split()
        database.append({"directory": entries[group], "file": str(unit),
                         "arguments": ["clang++", *flags[group], *warnings, "-c", str(unit)]})
    (folder / "compile_commands.json").write_text(json.dumps(database, indent=1))
    return {Path(entry["file"]).stem.removeprefix("group_"): entry["file"] for entry in database}


def findings_of(unit, folder):
    # Newer Clang says of older standard libraries what they say of themselves.
    run = subprocess.run([TIDY, "--quiet", "--extra-arg=-Wno-deprecated-declarations", "-p", str(folder), unit],
                         capture_output=True, text=True)
    if run.returncode == 0:
        return []
    noise = re.compile(r"^(\d+ (warnings?|errors?)|Error while processing|Suppressed)")
    return [line for line in (run.stdout + run.stderr).splitlines() if not noise.match(line)]


def main(arguments):
    os.chdir(Path(__file__).resolve().parents[1])
    groups = grouped_sources()
    prints = {group: fingerprint(sources) for group, sources in groups.items()}
    known = known_fingerprints()
    stale = [group for group in groups if known.get(group) != prints[group]]
    if arguments == ["--stale"]:
        print("\n".join(stale))
        return 0
    build = Path(arguments[0]).resolve() if arguments else None
    if not build or not (build / "compile_commands.json").exists() or arguments[1:] not in ([], ["--all"]):
        print(__doc__, file=sys.stderr)
        return 2
    chosen = list(groups) if "--all" in arguments else stale
    for program in [FORMAT] + [TIDY] * bool(chosen):
        if not shutil.which(program):
            print(f"check_style: {program} is not installed (Debian: {program})", file=sys.stderr)
            return 2
    count, findings = unformatted()
    folder = build / "clang-tidy"
    units = write_database(build, groups, folder)
    chosen = [group for group in chosen if group in units]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for group, found in zip(chosen, pool.map(lambda group: findings_of(units[group], folder), chosen)):
            findings += found
            if not found:
                known[group] = prints[group]
    if chosen:
        FINGERPRINTS.write_text("".join(f"{group} {known[group]}\n" for group in groups if group in known))
    print("\n".join(findings), end="\n" if findings else "")
    print(f"check_style: {count} files formatted, {len(chosen)} of {len(groups)} groups of modules analysed now: "
          f"{'FINDINGS ABOVE' if findings else 'no findings'}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
