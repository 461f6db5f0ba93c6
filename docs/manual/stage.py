"""Lays out the sources of the manual for Sphinx: the pages of the project, those that the command makes, and
what they link to.

    stage.py NOCTURNE PROJECT OUTPUT

A page keeps its place in the tree, so its links lead where they lead in the project. A link to a folder leads
to its README; without one, only its text is left.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
BLOCK = re.compile(r"(^```.*?^```\s*?$)", re.MULTILINE | re.DOTALL)


def pages_of(project):
    """The pages of the project, in the order in which docs/README.md lists those of docs/."""
    contents = (project / "docs/README.md").read_text()
    listed = [project / "docs" / page for page in re.findall(r"\]\((\w+\.md)[)#]", contents)]
    listed = list(dict.fromkeys([project / "docs/README.md", *listed]))
    experiments = [*sorted((project / "testbenches").glob("*/README.md")),
                   *sorted((project / "schedules").glob("**/README.md")), project / "examples/README.md"]
    return listed, experiments, [project / "CHANGELOG.md", project / "CONTRIBUTING.md"]


def with_links(text, page, project, output, staged):
    """The text of a page whose links lead to what is staged; copies the files that it links to."""

    def replaced(match):
        label, link = match.groups()
        target, _, anchor = link.partition("#")
        if "://" in link or not target:
            return match.group(0)
        path = (page.parent / target).resolve()
        if path.is_dir() and (path / "README.md") in staged:
            return f"[{label}]({target}/README.md)"
        if path in staged:
            return match.group(0)
        if path.is_file():
            copy = output / path.relative_to(project)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            return f"[{label}]({target})"
        return match.group(0) if "figures/" in target else label

    parts = BLOCK.split(text)  # blocks of code stay as they are
    return "".join(part if part.startswith("```") else LINK.sub(replaced, part) for part in parts)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def toctree(caption, entries):
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(entries) + "\n```\n"


def cell(text):
    """For a table: nothing in it ends the cell, or is taken for a tag or for emphasis."""
    return re.sub(r"([|<>*])", r"\\\1", " ".join(text.split()))


def option_row(option):
    short = f"-{option['short']}, " if option["short"] else ""
    needs = " or ".join("--" + need.replace("=", " ") for need in option["needs"])
    help_text = (cell(option["help"]) + ("; may be given several times" if option["is_repeated"] else "")
                 + (f"; only with {needs}" if needs else ""))
    value, default = (f"`{cell(option[name])}`" if option[name] else "" for name in ("parameter", "default"))
    return f"| `{short}--{option['name']}` | {value} | {default} | {help_text} |"


def stage_commands(say, output):
    """A page for each command, from its option rows."""
    commands = json.loads(say("man", "commands", "--json"))["commands"]
    for command in commands:
        name, examples = command["name"], "\n".join("$ " + example for example in command["examples"])
        write(output / f"docs/commands/{name}.md", "\n".join([
            f"# nocturne {name}", "", cell(command["summary"]) + ".", "",
            "```text", f"nocturne {name} [OPTIONS] {command['argument']}", "```", "",
            cell(command["description"]), "", "## Options", "",
            "| option | value | default | meaning |", "| --- | --- | --- | --- |",
            *map(option_row, command["options"]), "", "## Examples", "", "```text", examples, "```", ""]))
    rows = [f"| [{command['name']}]({command['name']}.md) | {cell(command['summary'])} |"
            for command in commands]
    entries = toctree("Commands", [command["name"] for command in commands])
    write(output / "docs/commands/index.md",
          "# Commands\n\n| command | |\n| --- | --- |\n" + "\n".join(rows) + "\n" + entries)


def stage_formats(say, output):
    """A page for each result and what results are made of, from their lists of fields."""
    introduction, *parts = re.split(r"^## ", say("man", "results"), flags=re.MULTILINE)
    names = [part.split("\n", 1)[0] for part in parts]
    file_of = {name.lower().replace(" ", "-"): name.replace(" ", "_") for name in names}
    for name, part in zip(names, parts):
        text = re.sub(r"\(#([a-z0-9-]+)\)", lambda link: f"({file_of[link.group(1)]}.md)", part)
        write(output / f"docs/formats/{name.replace(' ', '_')}.md", "# " + text.rstrip() + "\n")
    rows = "\n".join(f"- [{name}](formats/{name.replace(' ', '_')}.md)" for name in names)
    entries = toctree("Results", [f"formats/{name.replace(' ', '_')}" for name in names])
    write(output / "docs/results.md", introduction + "\n" + rows + "\n" + entries)


def main():
    nocturne, project, output = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    shutil.rmtree(output, ignore_errors=True)
    listed, experiments, others = pages_of(project)
    staged = {*listed, *experiments, *others}

    def say(*arguments):
        return subprocess.run([nocturne, *arguments], check=True, capture_output=True, text=True).stdout

    for page in sorted(staged):
        write(output / page.relative_to(project), with_links(page.read_text(), page, project, output, staged))
    stage_commands(say, output)
    stage_formats(say, output)
    write(output / "docs/coming_from.md", say("man", "coming-from"))
    readme = project / "README.md"
    index = with_links(readme.read_text(), readme, project, output, staged)
    index = index.replace("\n", f"\n\n*The manual of {say('--version').strip()}.*\n", 1)
    docs = [str(page.relative_to(project)) for page in listed]
    reference = docs.index("docs/command_line.md")
    index += toctree("Manual", docs[:reference])
    index += toctree("Reference", ["docs/commands/index", "docs/results", "docs/coming_from", *docs[reference:]])
    index += toctree("Experiments", [str(page.relative_to(project)) for page in experiments])
    index += toctree("Project", [str(page.relative_to(project)) for page in others])
    write(output / "index.md", index)


main()
