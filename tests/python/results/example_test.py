"""The notebooks run, on small networks, and draw their pictures; the documentation shows what happens."""

import contextlib
import doctest
import io
import os
import re
import runpy
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path
from unittest import mock

PROJECT = Path(__file__).parents[3]


class ExampleTest(unittest.TestCase):
    def run_example(self, name):
        """Its variables, after its picture was drawn."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            arguments = [name, "--quick", "--output", folder]
            with mock.patch.object(sys, "argv", arguments):
                values = runpy.run_path(str(PROJECT / "examples/python" / name))
            picture = (Path(folder) / name).with_suffix(".svg").read_text()
            self.assertIn("</svg>", picture)
        return values

    def test_collectives(self):
        rows = self.run_example("collectives.py")["rows"]
        self.assertEqual(len(rows), 10)
        self.assertTrue(all(steps >= bound for *_, bound, steps in rows))
        self.assertIn((1, "OAB", 3, 3), rows)

    def test_load_and_schedule(self):
        comparison = self.run_example("load_and_schedule.py")["comparison"]
        self.assertEqual(comparison.steps, 4)

    def test_faults(self):
        figures = self.run_example("faults.py")["figures"]
        for name in ("prism", "bipartite"):
            steps, distances = figures[name]
            self.assertEqual(distances[0], 7 / 5)
            self.assertTrue((distances[1:] > distances[0]).all() and (steps[1:] >= steps[0]).all())
        self.assertEqual(figures["bipartite"][0, 0], 3)


    def test_tour(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            with mock.patch.object(sys, "argv", ["tour.py", "--quick", "--output", folder]):
                values = runpy.run_path(str(PROJECT / "examples/python/tour.py"))
            self.assertEqual((Path(folder) / "tour.html").read_text().count("<h2>"), 5)
        self.assertEqual(values["recovered"].outcome, "located")


class PackageTest(unittest.TestCase):
    def test_what_is_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.environ["CMAKE"], "--install", os.environ["BUILD_FOLDER"], "--prefix", folder,
                            "--component", "python"], check=True, capture_output=True)
            packages = Path(folder) / "lib/python3/dist-packages"
            show = ("import nocturne, nocturne._command as command; "
                    "print(nocturne.Topology('ring:4').channel_count, command.command_path().resolve())")
            shown = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True,
                                   env={**os.environ, "PYTHONPATH": str(packages)})
            self.assertEqual(shown.stdout, f"8 {Path(folder).resolve()}/bin/nocturne\n")
            self.assertTrue((packages / "nocturne/py.typed").exists())
            self.assertTrue((packages / "nocturne/_core.pyi").exists())


class DocumentationTest(unittest.TestCase):
    def test_what_the_pages_show(self):
        """Every block of Python in them, in a session for each page."""
        count = 0
        for page in [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]:
            blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
            shown = "\n".join(blocks)
            test = doctest.DocTestParser().get_doctest(shown, {}, page.name, None, 0)
            # What is no session of an interpreter would not be run.
            self.assertEqual(bool(shown), bool(test.examples), page)
            count += len(test.examples)
            with self.subTest(page.name), tempfile.TemporaryDirectory() as folder:
                self.run_in(folder, test)
        self.assertGreater(count, 50)

    def test_the_engine_of_the_guide_takes_any_network(self):
        """A reader changes the network first, and nothing else."""
        text = (PROJECT / "docs/guide.md").read_text()
        block, = (block for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
                  if '"hypercube:3", "AAS"' in block)
        for network, steps in [("ring:5", 3), ("mesh:2x3", 4)]:
            values = {}
            with contextlib.redirect_stdout(io.StringIO()):
                for example in doctest.DocTestParser().get_examples(block.replace("hypercube:3", network)):
                    exec(compile(example.source, network, "single"), values)
            self.assertEqual((values["steps"], values["schedule"].violations()), (steps, []), network)

    def test_the_page_names_what_pip_and_apt_install(self):
        """All that is asked for when it is needed has an extra, and both ways to get it are there."""
        page = (PROJECT / "docs/python.md").read_text()
        extras = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        self.assertEqual(sorted(re.findall(r"`nocturne\[(\w+)\]`", page)), sorted(extras))
        for package in {name for packages in extras.values() for name in packages}:
            self.assertIn(f"python3-{package}", page)
        wanted = {name for path in (PROJECT / "python/nocturne").glob("*.py")
                  for name in re.findall(r"or pip install (\w+)", path.read_text())}
        self.assertLessEqual(wanted, {name for packages in extras.values() for name in packages})
        self.assertIn("venv --system-site-packages", page)

    def run_in(self, folder, test):
        report = io.StringIO()
        before = os.getcwd()
        os.chdir(folder)
        try:
            results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.write)
        finally:
            os.chdir(before)
        self.assertEqual(results.failed, 0, report.getvalue())

    def test_files_in_python_are_as_wide_and_long_as_the_others(self):
        for folder in ("python", "tests/python", "examples/python"):
            for path in (PROJECT / folder).rglob("*.py*"):
                lines = path.read_text().splitlines()
                self.assertLessEqual(len(lines), 400, path)
                self.assertLessEqual(max(map(len, lines), default=0), 110, path)


if __name__ == "__main__":
    unittest.main()
