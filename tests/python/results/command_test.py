"""The functions are the commands: the same names, arguments and defaults; and what mypy says of their use."""

import inspect
import keyword
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import nocturne
from nocturne import _command, commands

SAID = nocturne.command(["man", "commands"])["commands"]
FOLDER = Path(__file__).parent


def name_of(said):
    """Of an option or a command: a keyword of Python has an underscore behind it."""
    name = said.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


class CommandTest(unittest.TestCase):
    def test_every_command_is_a_function(self):
        self.assertEqual(commands.__all__, [name_of(command["name"]) for command in SAID])
        listed = subprocess.run([_command.command_path(), "--help"], env=_command._environment(),
                                capture_output=True, text=True)
        for command in SAID:
            self.assertIn(f"\n  {command['name']:10} {command['summary']}\n", listed.stdout)
            name = name_of(command["name"])
            self.assertIs(getattr(nocturne, name), getattr(commands, name))

    def test_every_option_is_an_argument(self):
        for command in SAID:
            parameters = dict(inspect.signature(getattr(nocturne, name_of(command["name"]))).parameters)
            first = next(iter(parameters.values()))
            self.assertEqual((first.name, first.kind), (command["argument"], first.POSITIONAL_OR_KEYWORD))
            options = {name_of(option["name"]): option for option in command["options"]}
            self.assertEqual(set(parameters), set(options) - {"help", "json", "wide"})
            for name, parameter in list(parameters.items())[1:]:
                with self.subTest(f"{command['name']} {name}"):
                    self.assertEqual(parameter.kind, parameter.KEYWORD_ONLY)
                    default = options[name]["default"]
                    if options[name]["kind"] == "switch":
                        self.assertIs(parameter.default, False)
                    elif not default:
                        self.assertIsNone(parameter.default)
                    else:
                        self.assertEqual(type(parameter.default)(default), parameter.default)
                    self.assertIn(f"`{name}`", getattr(nocturne, name_of(command["name"])).__doc__)

    def test_every_function_runs_its_command(self):
        found = nocturne.schedule(nocturne.Problem("octagon:8", "AAS"))
        chunks = nocturne.schedule("ring:4", collective="allgather", objective="time", chunks=1)
        traffic = {"window": 500, "warm_up": 100}
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.json").write_text(
                '{"command": "topology", "sweep": [{"topology": ["ring:4", "ring:5"]}]}')
            results = [
                nocturne.topology("ring:4"), nocturne.design(6, links=3, exchanges=10),
                nocturne.bound("ring:4", collective="AAS"), found,
                nocturne.reschedule(found, fault="link:0-1"),
                nocturne.evolve("ring:4", collective="AAS", engine="umda", evaluations=3000),
                nocturne.certify(found), nocturne.validate(chunks), nocturne.replay(chunks, bytes=64),
                nocturne.recover(found, fault="link:0-1", at_step=2),
                nocturne.traffic("ring:4", load=0.1, **traffic),
                nocturne.contract("ring:4", flow="source=0,destination=2,mbytes_per_s=100", check=500),
                nocturne.benes(4, samples=3),
                nocturne.front("ring:4", collective="allgather", most_chunks=1),
                nocturne.audit(FOLDER.parents[2] / "examples/audit/all_reduce_h200.log",
                               topology="dgx_h100", budget=0),
                nocturne.compare(found, bytes=[64, 128], traffic="shifted"),
                nocturne.export(chunks, goal=Path(folder, "a.goal")),
                nocturne.import_(None, garnet="--network=garnet --topology=Mesh_XY --num-cpus=16 "
                                              "--num-dirs=16 --mesh-rows=4"),
                nocturne.sweep(Path(folder, "a.json"), output=Path(folder, "a.db"), workers=1),
                nocturne.report(found, output=Path(folder, "a.html"))]
            self.assertTrue(Path(folder, "a.goal").exists())
        self.assertEqual([name_of(result.made_by.command.split()[1]) for result in results], commands.__all__)

    def test_an_imported_command_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "net.booksim")
            file.write_text("topology = mesh; k = 4; n = 2; routing_function = dor; num_vcs = 2;\n"
                            "packet_size = 20; injection_rate = 0.001; sample_period = 100;\n")
            imported = nocturne.import_([file, "injection_rate=0.005", "max_samples=8"])
            self.assertEqual(imported.source, "a BookSim2 configuration")
            self.assertIsNone(imported.network_file)
            rate, = (key for key in imported.settings if key.key == "injection_rate")
            self.assertEqual((rate.value, rate.fate, rate.here), ("0.005", "carried", "--load 0.1"))
            point = nocturne.command(imported.arguments)["curves"][0]["points"][0]
            self.assertEqual(point["load"], 0.1)

            ring, written = Path(folder, "ring.yml"), Path(folder, "ring.json")
            ring.write_text("topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50 ]\nlatency: [ 500 ]\n")
            imported = nocturne.import_(ring, output=written)
            self.assertEqual(imported.network_file, str(written))
            self.assertEqual(nocturne.Topology.from_json(written.read_text()).processor_count, 4)
            self.assertEqual(nocturne.command(imported.arguments)["result"], "schedule")
            with self.assertRaisesRegex(ValueError, "name it with -o FILE"):
                nocturne.import_(ring)

    def test_a_list_in_the_help_is_one_in_the_docstring(self):
        for engine in ("exact", "local", "trees"):
            self.assertRegex(inspect.getdoc(nocturne.schedule), rf"\n {{4,}}{engine}: (?!{engine})")

    def test_an_option_again_and_a_list(self):
        found = nocturne.schedule(nocturne.Problem("octagon:8", "AAS"))
        both = nocturne.reschedule(found, fault=["link:0-1", "link:2-3"])
        self.assertEqual(both.schedule.topology,
                         nocturne.Topology("octagon:8").with_faults(["link:0-1", "link:2-3"]))
        curve, = nocturne.traffic("ring:4", load=(0.1, 0.2), window=500, warm_up=100, workers=None).curves
        self.assertEqual(len(curve.points), 2)

    def test_an_unknown_argument_leads_to_the_one_that_is_meant(self):
        for call, given, says in [(nocturne.traffic, "injection_rate", "here it is 'load'"),
                                  (nocturne.traffic, "loads", "did you mean 'load'?"),
                                  (nocturne.schedule, "size", "here it is 'bytes'"),
                                  (nocturne.schedule, "time", "here it is 'budget'")]:
            with self.assertRaisesRegex(TypeError, rf"\(\) got an unexpected .*'{given}': .*{says}"):
                call("ring:4", **{given: 1})
        with self.assertRaisesRegex(TypeError, "'mood'$"):
            nocturne.replay("a.json", mood="slow")

    def test_a_line_to_type_stays_one_unless_it_is_a_call(self):
        for network, says in [("gb200", "'nocturne import topo.txt --gpu GB200 -o network.json'"),
                              ("moebius", r"others: nocturne\.topology\(list=True\)$")]:
            with self.assertRaisesRegex(ValueError, f"^topology: {network}: unknown network.*{says}"):
                nocturne.traffic(network, load=0.1)

    def test_numpy_is_asked_for_when_an_array_is(self):
        """In a process that has none: everything but arrays works, and these say what is missing."""
        script = ("import sys; sys.modules['numpy'] = None; import nocturne\n"
                  "curve = nocturne.traffic('ring:4', load=[.1, .2], window=500, warm_up=100).curves[0]\n"
                  "print(curve.points[0].load, '<svg' in curve._repr_html_())\n"
                  "for array in (lambda: curve.points.load, lambda: nocturne.Topology('ring:4').channels):\n"
                  "    try:\n        array()\n    except ImportError as error:\n        print(error)\n")
        shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        line = "arrays need NumPy, which is not installed: apt install python3-numpy, or pip install numpy\n"
        self.assertEqual(shown.stdout, f"0.1 True\n{line}{line}")

    @unittest.skipUnless("MYPY" in os.environ and "NOCTURNE_NIGHTLY" in os.environ, "by night, with mypy")
    def test_mypy_takes_what_is_right_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            def said_of(*what):
                return subprocess.run(
                    [sys.executable, "-m", "mypy", "--strict", "--python-executable", sys.executable,
                     "--cache-dir", f"{folder}/cache", *what], capture_output=True, text=True, cwd=folder,
                    env={**os.environ, "LD_PRELOAD": "", "MYPYPATH": os.environ["PYTHONPATH"]}).stdout
            package, script = said_of("-p", "nocturne"), said_of(FOLDER / "typed_script.py")
        self.assertRegex(package, "^Success")
        lines = (FOLDER / "typed_script.py").read_text().splitlines()
        expected = [i for i, line in enumerate(lines, 1) if "# wrong: " in line]
        wrong = {int(line.split(":")[1]) for line in script.splitlines() if ": error:" in line}
        self.assertEqual(sorted(wrong), expected, script)


if __name__ == "__main__":
    unittest.main()
