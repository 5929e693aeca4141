"""Stubs have the declarations of a kernel in Python types."""

import runpy
from pathlib import Path

TOOL = runpy.run_path(str(Path(__file__).parents[3] / "tools" / "kernel_stubs.py"))


def test_stub_has_types_of_arrays_scalars_public_fields_and_constants(tmp_path):
    source = tmp_path / "odd.py"
    source.write_text(
        """
import cython
from cython.cimports.sapper.kernels.room import Lamp, Table, Window

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

def shared(d: Desk) -> cython.void:
    pass
"""
    )
    source.with_suffix(".pxd").write_text(
        """
cpdef enum:
    OK = 0
    NOT_FOUND = -2
cdef class Desk:
    cdef public unsigned char[::1] code, seen
    cdef public const int[::1] numbers
    cdef int hidden
cdef void shared(Desk d) noexcept nogil
"""
    )
    stub = TOOL["stub_of"](source)
    assert "from sapper.kernels.room import Lamp\nfrom sapper.kernels.room import Table\n" in stub
    assert "Window" not in stub
    assert stub.endswith(
        """
OK: int
NOT_FOUND: int
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
