"""What mypy is told of a kernel is what its source declares."""

import runpy
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).parents[3] / "tools" / "kernel_stubs.py"))


@pytest.mark.parametrize(
    "source", TOOL["modules"](), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_the_stub_of_a_kernel_says_what_its_source_says(source):
    assert source.with_suffix(".pyi").read_text() == TOOL["stub_of"](source), (
        "run python tools/kernel_stubs.py"
    )


def test_every_kernel_has_a_stub():
    fingerprint = runpy.run_path(str(TOOL["KERNELS"] / "fingerprint.py"))
    assert set(TOOL["modules"]()) == set(fingerprint["kernel_sources"]())


def test_a_stub_has_the_types_of_arrays_scalars_and_public_attributes(tmp_path):
    source = tmp_path / "odd.py"
    source.write_text(
        """
import cython
from sapper.kernels.room import Lamp, Table, Window

MOST = 3
INNER = cython.declare(cython.int, 4)

class Desk(Table):
    def __init__(self, wide: cython.int, *, lamp: Lamp | None, legs: cython.int = 4):
        pass

    def size(self) -> cython.int:
        return 1

@cython.ccall
def look(d: Desk, at: cython.const[cython.int][::1], far: cython.bint) -> cython.double:
    pass

@cython.cfunc
def inner(d: Desk) -> cython.void:
    pass
"""
    )
    source.with_suffix(".pxd").write_text(
        """
cdef class Desk:
    cdef public unsigned char[::1] code, seen
    cdef public const int[::1] numbers
    cdef int hidden
"""
    )
    stub = TOOL["stub_of"](source)
    assert "from sapper.kernels.room import Lamp\nfrom sapper.kernels.room import Table\n" in stub
    assert "Window" not in stub
    assert stub.endswith(
        """
MOST: int
class Desk(Table):
    code: npt.NDArray[np.uint8]
    seen: npt.NDArray[np.uint8]
    numbers: npt.NDArray[np.int32]
    def __init__(self, wide: int, *, lamp: Lamp | None, legs: int = ...) -> None: ...
    def size(self) -> int: ...
def look(d: Desk, at: npt.NDArray[np.int32], far: bool) -> float: ...
"""
    )
