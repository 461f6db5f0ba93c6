"""The type stubs say what the module has: the same names, and the same arguments."""

import ast
import inspect
import re
import unittest
from pathlib import Path

import nocturne
from nocturne import _core

STUBS = ast.parse((Path(nocturne.__file__).parent / "_core.pyi").read_text())


def arguments_in_module(function):
    """The names of a function's arguments, as pybind11 writes them into its docstring's first line."""
    signature = function.__doc__.splitlines()[0]
    inner = signature[signature.index("(") + 1:signature.rindex(") ->")]
    return re.findall(r"(?:^|, )\*?(\w+)(?=:|, |$)", re.sub(r"\[[^\]]*\]", "", inner))


def arguments_in_stubs(function):
    return [argument.arg for argument in [*function.args.args, *function.args.kwonlyargs]]


class StubTest(unittest.TestCase):
    def test_names(self):
        stubs = {node.name for node in STUBS.body
                 if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")}
        self.assertEqual(stubs, {name for name in vars(_core) if not name.startswith("_")})

    def test_functions(self):
        for node in STUBS.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                with self.subTest(node.name):
                    self.assertEqual(arguments_in_stubs(node), arguments_in_module(getattr(_core, node.name)))

    def test_classes(self):
        for node in STUBS.body:
            if not isinstance(node, ast.ClassDef):
                continue
            cls = getattr(_core, node.name)
            functions = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
            values = {member.target.id: member for member in node.body if isinstance(member, ast.AnnAssign)}
            public = {name for name in vars(cls) if not name.startswith("_")}
            with self.subTest(node.name):
                self.assertEqual({name for name in {*functions, *values} if not name.startswith("_")}, public)
            for name, member in values.items():
                with self.subTest(f"{node.name}.{name}"):
                    self.assertEqual(member.annotation.value.id, "Final")  # as immutable as the module's
                    self.assertIsInstance(inspect.getattr_static(cls, name), property)
                    self.assertIsNone(inspect.getattr_static(cls, name).fset)
            for name, member in functions.items():
                decorators = {getattr(decorator, "id", "") for decorator in member.decorator_list}
                value = inspect.getattr_static(cls, name)
                with self.subTest(f"{node.name}.{name}"):
                    self.assertNotIsInstance(value, property)
                    self.assertEqual("staticmethod" in decorators, isinstance(value, staticmethod))
                    self.assertEqual([a for a in arguments_in_stubs(member) if a != "self"],
                                     [a for a in arguments_in_module(getattr(cls, name)) if a != "self"])

    def test_everything_public_is_described(self):
        for name in nocturne.__all__:
            self.assertTrue(getattr(nocturne, name).__doc__, name)
        for cls in (value for value in vars(_core).values() if isinstance(value, type)):
            for name, member in vars(cls).items():
                if not name.startswith("_"):
                    self.assertTrue(getattr(member, "__doc__", None), f"{cls.__name__}.{name}")


if __name__ == "__main__":
    unittest.main()
