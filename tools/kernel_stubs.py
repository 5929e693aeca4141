"""Write the stubs of the kernels, so that mypy checks every call into them.

A kernel's annotations are C types, which mypy cannot read. Its stub (.pyi) says the same in Python:
what the source declares of functions and constants, and what the .pxd declares public of classes.
Run it after a change of a kernel's signature; a test holds stubs and sources together.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

KERNELS = Path(__file__).parents[1] / "src" / "sapper" / "kernels"
ROOMS = ("board", "engine", "games", "generators", "players", "proofs", "solvers", "tracked")

HEAD = '"""Written by tools/kernel_stubs.py from the source."""\n'
SCALARS = {
    **dict.fromkeys(
        ("int", "longlong", "ulonglong", "Py_ssize_t", "schar", "uchar", "ushort", "short"), "int"
    ),
    "bint": "bool",
    "double": "float",
    "void": "None",
}
ARRAYS = {
    "int": "np.int32",
    "schar": "np.int8",
    "short": "np.int16",
    "uchar": "np.uint8",
    "ushort": "np.uint16",
    "longlong": "np.int64",
    "ulonglong": "np.uint64",
    "double": "np.float64",
}
PYTHONS = {
    "object": "Any",
    "list": "list[Any]",
    "tuple": "tuple[Any, ...]",
    "dict": "dict[str, Any]",
}
# How a .pxd spells what a source calls cython.X.
IN_C = {
    "unsigned long long": "ulonglong",
    "long long": "longlong",
    "signed char": "schar",
    "unsigned char": "uchar",
    "unsigned short": "ushort",
}


def modules() -> list[Path]:
    """The kernels that have a stub, or are to have one."""
    found = [path for room in ROOMS for path in sorted((KERNELS / room).glob("*.py"))]
    return [KERNELS / "codes.py", *(path for path in found if path.stem != "__init__")]


def stub_of(source: Path) -> str:
    """The stub of one kernel."""
    tree = ast.parse(source.read_text())
    declared = _declared(source.with_suffix(".pxd"))
    parts = [text for node in tree.body for text in _lines(node, declared)]
    body = "\n".join(parts) + "\n"
    return HEAD + _imports(tree, source.with_suffix(".pxd"), body) + "\n" + body


def _lines(node: ast.stmt, declared: dict[str, list[str]]) -> list[str]:
    """What a statement of a kernel gives to its callers."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "not cython.compiled":
        return [text for inner in node.body for text in _lines(inner, declared)]
    if isinstance(node, ast.Assign):
        return _constant(node)
    if isinstance(node, ast.ClassDef):
        return _class(node, declared.get(node.name, []))
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
        is_inner = any(ast.unparse(d) == "cython.cfunc" for d in node.decorator_list)
        return [] if is_inner else [_function(node)]
    return []


def _constant(node: ast.Assign) -> list[str]:
    try:
        value = ast.literal_eval(node.value)
    except ValueError:
        value = ast.unparse(node.value)
        if "cython" in value or not re.fullmatch(r"[\w\s*+<-]+", value):
            return []
        value = 0
    kinds = {dict: "dict[str, int]", tuple: "tuple[str, ...]"}
    kind = kinds.get(type(value), type(value).__name__)
    return [f"{target.id}: {kind}" for target in node.targets if isinstance(target, ast.Name)]


def _class(node: ast.ClassDef, fields: list[str]) -> list[str]:
    methods = [
        "    " + _function(inner, "self")
        for inner in node.body
        if isinstance(inner, ast.FunctionDef)
        and (inner.name == "__init__" or not inner.name.startswith("_"))
    ]
    bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
    return [f"class {node.name}{bases}:", *(fields + methods or ["    ..."])]


def _function(node: ast.FunctionDef, first: str = "") -> str:
    given, named = node.args.args, node.args.kwonlyargs
    left = [None] * (len(given) - len(node.args.defaults))
    defaults = [*left, *node.args.defaults, *node.args.kw_defaults]
    names = []
    for arg, default in zip([*given, *named], defaults, strict=True):
        if arg.arg == first:
            names.append(first)
            continue
        if named and arg is named[0]:
            names.append("*")
        kind = _kind(arg.annotation)
        names.append(f"{arg.arg}: {kind}{'' if default is None else ' = ...'}")
    answer = "None" if node.name == "__init__" else _kind(node.returns)
    return f"def {node.name}({', '.join(names)}) -> {answer}: ..."


def _kind(annotation: ast.expr | None) -> str:
    """A C type in the words of Python."""
    text = "object" if annotation is None else ast.unparse(annotation)
    text = re.sub(r"cython\.const\[(.*?)\](?=\[)", r"\1", text).replace("cython.", "")
    name, _, shape = text.partition("[")
    if shape.startswith(":"):
        return f"npt.NDArray[{ARRAYS[name]}]"
    return PYTHONS.get(text, SCALARS.get(text, text))


def _declared(path: Path) -> dict[str, list[str]]:
    """The public attributes of each class of a .pxd."""
    classes: dict[str, list[str]] = {}
    inside: list[str] = []
    for line in path.read_text().splitlines() if path.exists() else ():
        if found := re.match(r"cdef class (\w+)", line):
            inside = classes.setdefault(found[1], [])
        elif found := re.match(r"    cdef public (.+)", line):
            inside.extend(_attributes(found[1]))
    return classes


def _attributes(declaration: str) -> list[str]:
    text = declaration.removeprefix("const ")
    for spelling, name in IN_C.items():
        text = text.replace(spelling, name, 1) if text.startswith(spelling) else text
    kind, names = re.match(r"(\w+(?:\[[^\]]*\])?) (.+)", text).groups()  # type: ignore[union-attr]
    name, _, shape = kind.partition("[")
    python = f"npt.NDArray[{ARRAYS[name]}]" if shape else PYTHONS.get(name, SCALARS.get(name, name))
    return [f"    {attribute.strip()}: {python}" for attribute in names.split(",")]


def _imports(tree: ast.Module, pxd: Path, body: str) -> str:
    """What the stub needs: numpy, Any, and classes of other kernels."""
    lines = []
    if "Any" in body:
        lines.append("from typing import Any\n")
    if "npt." in body:
        lines.append("import numpy as np\nimport numpy.typing as npt\n")
    others = [
        f"from {node.module} import {name.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("sapper.")
        for name in node.names
        if re.search(rf"(: |\(){name.name}\b", body)
    ]
    cimports = pxd.read_text() if pxd.exists() else ""
    for module, name, alias in re.findall(
        r"^from (\S+) cimport (\w+)(?: as (\w+))?$", cimports, flags=re.M
    ):
        if re.search(rf"(: |\(){alias or name}\b", body):
            others.append(f"from {module} import {name}{f' as {alias}' if alias else ''}")
    return "\n".join(["", *lines, *sorted(set(others)), ""])


def main() -> None:
    """Write every stub that differs from its source."""
    for source in modules():
        stub, text = source.with_suffix(".pyi"), stub_of(source)
        if not stub.exists() or stub.read_text() != text:
            stub.write_text(text)
            sys.stdout.write(f"{stub.relative_to(KERNELS)}\n")


if __name__ == "__main__":
    main()
