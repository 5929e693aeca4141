"""Write the stubs (.pyi) of the kernels, so that mypy checks every call into them.

The annotations of a kernel are C types, which mypy cannot read. A stub has the same declarations in
Python types: functions and constants of the source, public fields and enums of the .pxd.
setup.py writes the stubs before it builds anything; they are not tracked.
"""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

KERNELS = Path(__file__).parents[1] / "src" / "sapper" / "kernels"

HEADER = '"""Written by tools/kernel_stubs.py from the source."""\n'
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
PYTHON_TYPES = {
    "object": "Any",
    "list": "list[Any]",
    "tuple": "tuple[Any, ...]",
    "dict": "dict[str, Any]",
}
# C types in the syntax of a .pxd, and their names in the cython module.
PXD_TYPES = {
    "unsigned long long": "ulonglong",
    "long long": "longlong",
    "signed char": "schar",
    "unsigned char": "uchar",
    "unsigned short": "ushort",
}
# Names of array types, such as ConstInts.
TYPEDEFS = {
    name: ctype
    for ctype, name in re.findall(
        r"^ctypedef (?:const )?(.+?)\[::1\] (\w+)$",
        (KERNELS / "arrays.pxd").read_text(),
        flags=re.M,
    )
}


def stub_of(source: Path) -> str:
    """Return the stub of one kernel."""
    tree = ast.parse(source.read_text())
    pxd = source.with_suffix(".pxd")
    declarations = pxd.read_text() if pxd.exists() else ""
    fields = _public_fields(declarations)
    constants = re.findall(r"^    ([A-Z]\w*) = -?\d+$", declarations, flags=re.M)
    lines = [f"{name}: int" for name in constants]
    # Functions that only other kernels call.
    internal = set(re.findall(r"^cdef [^(:]*?(\w+)\(", declarations, flags=re.M))
    lines += [line for node in tree.body for line in _stub_lines(node, fields, internal)]
    body = "\n".join(lines) + "\n"
    return HEADER + _imports(tree, declarations, body) + "\n" + body


def _stub_lines(node: ast.stmt, fields: dict[str, list[str]], internal: set[str]) -> list[str]:
    """Return the stub of a statement; empty if Python code cannot use what it defines."""
    if isinstance(node, ast.Assign):
        return _constant(node)
    if isinstance(node, ast.ClassDef):
        return _class(node, fields.get(node.name, []))
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
        decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
        if node.name not in internal and "cython.cfunc" not in decorators:
            return [_function(node)]
    return []


def _constant(node: ast.Assign) -> list[str]:
    try:
        value = ast.literal_eval(node.value)
    except ValueError:
        value = ast.unparse(node.value)
        if "cython" in value or not re.fullmatch(r"[\w\s*+<-]+", value):
            return []
        value = 0
    types = {dict: "dict[str, int]", tuple: "tuple[str, ...]"}
    name = types.get(type(value), type(value).__name__)
    return [f"{target.id}: {name}" for target in node.targets if isinstance(target, ast.Name)]


def _class(node: ast.ClassDef, fields: list[str]) -> list[str]:
    methods = [
        "    " + _function(inner, "self")
        for inner in node.body
        if isinstance(inner, ast.FunctionDef)
        and (inner.name == "__init__" or not inner.name.startswith("_"))
    ]
    bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
    return [f"class {node.name}{bases}:", *(fields + methods or ["    ..."])]


def _function(node: ast.FunctionDef, self_name: str = "") -> str:
    positional, keyword = node.args.args, node.args.kwonlyargs
    required = [None] * (len(positional) - len(node.args.defaults))
    defaults = [*required, *node.args.defaults, *node.args.kw_defaults]
    parameters = []
    for arg, default in zip([*positional, *keyword], defaults, strict=True):
        if arg.arg == self_name:
            parameters.append(self_name)
            continue
        if keyword and arg is keyword[0]:
            parameters.append("*")
        default_text = "" if default is None else " = ..."
        parameters.append(f"{arg.arg}: {_python_type(arg.annotation)}{default_text}")
    result = "None" if node.name == "__init__" else _python_type(node.returns)
    return f"def {node.name}({', '.join(parameters)}) -> {result}: ..."


def _python_type(annotation: ast.expr | None) -> str:
    """Return the Python type of a C type."""
    text = "object" if annotation is None else ast.unparse(annotation)
    if text in TYPEDEFS:
        return f"npt.NDArray[{ARRAYS[PXD_TYPES.get(TYPEDEFS[text], TYPEDEFS[text])]}]"
    text = re.sub(r"cython\.const\[(.*?)\](?=\[)", r"\1", text).replace("cython.", "")
    name, _, shape = text.partition("[")
    if shape.startswith(":"):
        return f"npt.NDArray[{ARRAYS[name]}]"
    return PYTHON_TYPES.get(text, SCALARS.get(text, text))


def _public_fields(declarations: str) -> dict[str, list[str]]:
    """Return the stubs of the public fields of each class of a .pxd."""
    classes: dict[str, list[str]] = {}
    current: list[str] = []
    for line in declarations.splitlines():
        if match := re.match(r"cdef class (\w+)", line):
            current = classes.setdefault(match[1], [])
        elif match := re.match(r"    cdef public (.+)", line):
            current.extend(_fields(match[1]))
    return classes


def _fields(declaration: str) -> list[str]:
    text = declaration.removeprefix("const ")
    for spelling, name in PXD_TYPES.items():
        text = text.replace(spelling, name, 1) if text.startswith(spelling) else text
    ctype, names = re.match(r"(\w+(?:\[[^\]]*\])?) (.+)", text).groups()  # type: ignore[union-attr]
    name, _, shape = ctype.partition("[")
    scalar = PYTHON_TYPES.get(name, SCALARS.get(name, name))
    python_type = f"npt.NDArray[{ARRAYS[name]}]" if shape else scalar
    return [f"    {field.strip()}: {python_type}" for field in names.split(",")]


def _imports(tree: ast.Module, declarations: str, body: str) -> str:
    """Return the imports of the stub: numpy, Any, and classes of other kernels."""
    lines = []
    if "Any" in body:
        lines.append("from typing import Any\n")
    if "npt." in body:
        lines.append("import numpy as np\nimport numpy.typing as npt\n")
    imported = [
        (str(node.module).removeprefix("cython.cimports."), alias.name, alias.asname)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    pattern = r"^from (\S+) cimport (\w+)(?: as (\w+))?$"
    imported += [
        (module, name, alias or None)
        for module, name, alias in re.findall(pattern, declarations, flags=re.M)
    ]
    imports = {
        f"from {module} import {name}{f' as {alias}' if alias else ''}"
        for module, name, alias in imported
        if module.startswith("sapper.") and re.search(rf"(: |\(){alias or name}\b", body)
    }
    return "\n".join(["", *lines, *sorted(imports), ""])


def write_stubs() -> None:
    """Write every stub that is missing or outdated, and delete those without a kernel."""
    sources = runpy.run_path(str(KERNELS / "fingerprint.py"))["kernel_sources"]()
    for source in sources:
        stub, text = source.with_suffix(".pyi"), stub_of(source)
        if not stub.exists() or stub.read_text() != text:
            stub.write_text(text)
    for stub in {*KERNELS.rglob("*.pyi")} - {source.with_suffix(".pyi") for source in sources}:
        stub.unlink()


if __name__ == "__main__":
    write_stubs()
