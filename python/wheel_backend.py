"""Makes the wheel of the package: what pip calls (PEP 517), without anything but CMake and Debian's packages.

The wheel has the package, the command, and the libraries that a bare Debian lacks, with the licences of all
that is in it. `python3 python/wheel_backend.py FOLDER` makes it without pip.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
BUILD = PROJECT / "build" / "release"
DEBIANS_PYTHON = "/usr/bin/python3"
# Every Debian has what comes of these; the headers of Python and of the compiler leave nothing in a program.
OF_THE_SYSTEM = re.compile(r"(libc6|linux-libc|libstdc\+\+|libgcc-|libcrypt|libpython)")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the release preset and packs it; returns the name of the file."""
    if os.path.realpath(sys.executable) != os.path.realpath(DEBIANS_PYTHON):
        raise SystemExit(f"nocturne: the wheel is for Debian's Python: call it with {DEBIANS_PYTHON} -m pip")
    subprocess.run(["cmake", "--preset", "release", "-DNOCTURNE_TESTS=OFF"], cwd=PROJECT, check=True,
                   stdout=subprocess.DEVNULL)
    if not (BUILD / "python/wheel/_location.py").exists():
        raise SystemExit("nocturne: without pybind11 or Python's headers (Debian: pybind11-dev python3-dev)")
    workers = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count())
    subprocess.run(["cmake", "--build", BUILD, "--parallel", workers, "--target", "wheel_files"], check=True)
    return pack(BUILD, Path(wheel_directory))


def pack(build, folder):
    """Packs what a build folder has of the target `wheel_files`; returns the name of the file."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"\W", "_", sysconfig.get_platform())
    name = f"{_distribution()}-{tag}-{tag}-{platform}.whl"
    with tempfile.TemporaryDirectory() as staged:
        stage = Path(staged)
        subprocess.run(["cmake", "--install", build, "--component", "wheel", "--strip", "--prefix", stage],
                       check=True, stdout=subprocess.DEVNULL)
        libraries = (stage / "libraries.txt").read_text().split()
        (stage / "libraries.txt").unlink()
        info = stage / prepare_metadata_for_build_wheel(stage)
        _write_licences(info / "licenses", build, libraries)
        (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: nocturne {version()}\n"
                                    f"Root-Is-Purelib: false\nTag: {tag}-{tag}-{platform}\n")
        _zip(stage, info, folder / name)
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Writes what is said of the package; returns the name of the folder."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version()}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    for extra, packages in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {package}; extra == "{extra}"' for package in packages]
    lines += ["Description-Content-Type: text/markdown", "", (PROJECT / project["readme"]).read_text()]
    info = Path(metadata_directory) / f"{_distribution()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("\n".join(lines))
    scripts = "".join(f"{name} = {entry}\n" for name, entry in project["scripts"].items())
    (info / "entry_points.txt").write_text(f"[console_scripts]\n{scripts}")
    return info.name


def build_sdist(sdist_directory, config_settings=None):
    """Packs the files that git knows; returns the name of the file."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, check=True, capture_output=True,
                            text=True)
    name = f"{_distribution()}.tar.gz"
    with tarfile.open(Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in filter(None, listed.stdout.split("\0")):
            archive.add(PROJECT / file, f"{_distribution()}/{file}")
        with tempfile.TemporaryDirectory() as folder:
            info = Path(folder) / prepare_metadata_for_build_wheel(folder)
            archive.add(info / "METADATA", f"{_distribution()}/PKG-INFO")
    return name


def version():
    return re.search(r"project\(nocturne VERSION ([\d.]+)", (PROJECT / "CMakeLists.txt").read_text())[1]


def _distribution():
    return f"nocturne-{version()}"


def _write_licences(folder, build, libraries):
    """The project's own, and those of the Debian packages whose libraries are in it, or whose headers it was
    compiled with."""
    read = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True)
    objects = read.stdout.split("\n\n")
    product = "\n".join(each for each in objects if not each.startswith(("testbenches/", "tests/")))
    headers = set(re.findall(r"^    (/usr/include/\S+)$", product, re.MULTILINE))
    # Some packages call their folder /lib, which is a name of /usr/lib.
    files = [*libraries, *(library.removeprefix("/usr") for library in libraries), *sorted(headers)]
    found = subprocess.run(["dpkg", "-S", *files], capture_output=True, text=True).stdout
    packages = {line.split(":")[0] for line in found.splitlines() if not line.startswith("diversion by")}
    by_text = {}
    for package in sorted(packages):
        text = Path("/usr/share/doc", package, "copyright")
        if text.exists() and not OF_THE_SYSTEM.match(package):
            by_text.setdefault(text.read_bytes(), []).append(package)
    folder.mkdir()
    (folder / "LICENSE").write_bytes((PROJECT / "LICENSE").read_bytes())
    for text, owners in by_text.items():
        (folder / f"{'+'.join(owners)}.txt").write_bytes(text)


def _zip(stage, info, wheel):
    """A zip archive, the same for the same files, and a list of them with their digests."""
    record = info / "RECORD"
    lines = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(path, content):
            entry = zipfile.ZipInfo(path.relative_to(stage).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
        for path in sorted(path for path in stage.rglob("*") if path.is_file()):
            content = path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{path.relative_to(stage).as_posix()},sha256={digest},{len(content)}\n")
            add(path, content)
        add(record, "".join([*lines, f"{record.relative_to(stage).as_posix()},,\n"]).encode())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: wheel_backend.py FOLDER")
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    try:
        made = Path(sys.argv[1], build_wheel(sys.argv[1]))
    except subprocess.CalledProcessError as error:
        sys.exit(f"nocturne: {error.cmd[0]} failed")
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")
