"""The wheel in a fresh virtual environment that has nothing else: installed without a network, as what
another package needs; the command, the notebook script, and where the libraries come from."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import unittest.mock
import venv
import zipfile
from pathlib import Path

PROJECT = Path(__file__).parents[3]
sys.path.insert(0, str(PROJECT / "python"))
import wheel_backend  # noqa: E402

# Every Debian has these.
OF_THE_SYSTEM = re.compile(r"linux-vdso|ld-linux|lib(c|m|gcc_s|stdc\+\+)\.so")
FOREIGN = """import nocturne
def main():
    curve, = nocturne.traffic("ring:4", load=0.1, window=500, warm_up=100).curves
    print(nocturne.__version__, curve.topology)
"""


def clean_environment():
    """Of a user: without what the tests of the build folder set, but for the runtime of its sanitizer."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "NOCTURNE")}


class WheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="nocturne-wheel-"))
        cls.wheel = cls.folder / wheel_backend.pack(Path(os.environ["BUILD_FOLDER"]), cls.folder)
        cls.write_foreign_wheel()
        with unittest.mock.patch.dict(os.environ, LD_PRELOAD=""):  # pip has nothing for sanitizers
            venv.create(cls.folder / "venv", with_pip=True, symlinks=True)
            cls.run_in("python", "-m", "pip", "install", "--quiet", "--no-index", "--find-links", cls.folder,
                       "foreign-package")
        cls.package, = (cls.folder / "venv/lib").glob("python3*/site-packages/nocturne")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def write_foreign_wheel(cls):
        """Pure Python, with a command of its own; it needs nocturne."""
        info = "foreign_package-1.0.dist-info"
        with zipfile.ZipFile(cls.folder / "foreign_package-1.0-py3-none-any.whl", "w") as archive:
            for name, text in [
                    ("foreign_package.py", FOREIGN),
                    (f"{info}/METADATA", "Metadata-Version: 2.1\nName: foreign-package\nVersion: 1.0\n"
                                         "Requires-Dist: nocturne>=0.1\n"),
                    (f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
                    (f"{info}/entry_points.txt", "[console_scripts]\nforeign = foreign_package:main\n"),
                    (f"{info}/RECORD", "")]:
                archive.writestr(name, text)

    @classmethod
    def run_in(cls, program, *arguments, **others):
        """Output of a program of the virtual environment."""
        done = subprocess.run([cls.folder / "venv/bin" / program, *arguments], capture_output=True, text=True,
                              env=clean_environment(), cwd=cls.folder, **others)
        if done.returncode != 0:
            raise AssertionError(f"{program} {arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def test_a_foreign_package_gets_it(self):
        self.assertEqual(self.run_in("foreign"), f"{wheel_backend.version()} ring:4\n")

    def test_the_command_is_in_it(self):
        self.assertEqual(self.run_in("nocturne", "--version"), f"nocturne {wheel_backend.version()}\n")
        self.assertIn("maximum_hops", self.run_in("nocturne", "topology", "mesh:3x3", "--json"))
        installed = self.run_in("python", "-c", "import nocturne; print(nocturne.__file__)")
        self.assertEqual(installed, f"{self.package}/__init__.py\n")

    def test_the_notebook_script_runs_with_nothing_else(self):
        with self.assertRaises(AssertionError):
            self.run_in("python", "-c", "import numpy")
        self.run_in("python", PROJECT / "examples/python/tour.py", "--quick", "--output", self.folder)
        page = (self.folder / "tour.html").read_text()
        self.assertEqual(page.count("<svg"), 2)
        self.assertEqual(page.count("<h2>"), 5)
        self.assertIn("</svg>", (self.folder / "tail_latency.svg").read_text())

    def test_libraries_are_its_own_or_those_of_every_debian(self):
        for file in [self.package / "bin/nocturne", *self.package.glob("_core.*.so")]:
            listed = subprocess.run(["ldd", file], capture_output=True, text=True, check=True,
                                    env={**clean_environment(), "LD_PRELOAD": ""}).stdout
            places = [line.split(" (")[0].split("=> ")[-1].strip() for line in listed.splitlines()]
            own = [place for place in places if place.startswith(f"{self.package}/")]
            self.assertGreater(len(own), 1)
            for place in set(places) - set(own):
                self.assertRegex(place, OF_THE_SYSTEM)

    def test_licences_of_all_that_is_in_it(self):
        with zipfile.ZipFile(self.wheel) as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
        libraries = {name.split("/")[-1].split(".so")[0].split("-")[0] for name in names if "/lib/" in name}
        licences = " ".join(name for name in names if "/licenses/" in name).lower()
        self.assertIn("libsystemc", libraries)
        for library in libraries | {"libboost", "libcadical", "json", "pybind11", "liblemon", "/license"}:
            stem = {"libz": "zlib", "libboost_program_options": "libboost-program-options",
                    "libclp": "coinor-libclp", "libclpsolver": "coinor-libclp",
                    "libcoinutils": "coinor-libcoinutils"}.get(library.lower(), library.lower())
            self.assertIn(stem, licences)

    def test_the_same_files_make_the_same_wheel(self):
        with tempfile.TemporaryDirectory() as folder:
            name = wheel_backend.pack(Path(os.environ["BUILD_FOLDER"]), Path(folder))
            self.assertEqual(Path(folder, name).read_bytes(), self.wheel.read_bytes())


class SourceTest(unittest.TestCase):
    @unittest.skipUnless((PROJECT / ".git").exists(), "without git")
    def test_a_source_archive_has_what_builds_it(self):
        with tempfile.TemporaryDirectory() as folder:
            name = wheel_backend.build_sdist(folder)
            with tarfile.open(Path(folder) / name) as archive:
                names = archive.getnames()
        base = name.removesuffix(".tar.gz")
        for file in ("PKG-INFO", "pyproject.toml", "CMakePresets.json", "python/wheel_backend.py", "LICENSE"):
            self.assertIn(f"{base}/{file}", names)


if __name__ == "__main__":
    unittest.main()
