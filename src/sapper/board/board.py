"""The board: a graph of cells and their neighbours."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from sapper.board.presentation import notebook_svg, parse_text, to_text
from sapper.errors import NotationError, RulesError, WrongType
from sapper.values import Frozen, check_int, frozen

Point = tuple[float, float]
Outline = tuple[Point, ...]
Ints = npt.NDArray[np.int32]
T = TypeVar("T")

# With 12 neighbours a cell, the arrays of a board of this size take 0.8 GB.
MAX_CELLS = 2**24

# White space, control characters, and surrogates, which UTF-8 cannot encode.
_NOT_IN_NAMES = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]")


class Board(Frozen):
    """Cells 0..n-1 and their neighbours, as two flat arrays; immutable.

    The neighbours of a cell, ascending, are ``neighbours[offsets[cell]:offsets[cell + 1]]``.
    Make boards with `sapper.tiling`, `Board.from_edges` or `Board.from_graph`.
    Two boards are equal if they have the same cells, names and neighbours.
    """

    def __init__(
        self,
        offsets: Ints,
        neighbours: Ints,
        *,
        names: Sequence[str],
        tiling: str | None = None,
        size: tuple[int, int] | None = None,
        outlines: Sequence[Outline] | None = None,
        points: Sequence[Point] | None = None,
        rebuild: Callable[..., Board] | None = None,
    ):
        self._set(
            offsets=frozen(offsets, np.int32),
            neighbours=frozen(neighbours, np.int32),
            names=tuple(names) if isinstance(names, list) else names,
            tiling=tiling,
            _size=size,
            _outlines=outlines,
            _points=points,
            _rebuild=rebuild,
        )

    offsets: Ints
    neighbours: Ints
    names: Sequence[str]
    tiling: str | None
    _size: tuple[int, int] | None
    _outlines: Sequence[Outline] | None
    _points: Sequence[Point] | None
    _rebuild: Callable[..., Board] | None

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str]],
        cells: Iterable[str] | None = None,
        *,
        outlines: Mapping[str, Outline] | None = None,
        points: Mapping[str, Point] | None = None,
    ) -> Board:
        """Make a board of any shape from pairs of cell names.

        *cells* sets the order of the cells and may add cells without neighbours; by default
        cells are in the order in which the edges name them. Pictures draw each cell as a polygon
        with the corners *outlines*, or at its point of *points*.

        >>> path = Board.from_edges([("a", "b"), ("b", "c")])
        >>> path.neighbour_names("b")
        ('a', 'c')
        """
        pairs = [_parse_edge(edge) for edge in edges]
        ends = [end for pair in pairs for end in pair]
        order = ends if cells is None else list(cells)
        index = _index_by_name(order)
        if cells is not None and len(index) < len(order):
            repeated = next(name for i, name in enumerate(order) if name in order[:i])
            raise NotationError(f"the cell {repeated!r} occurs twice")
        for end in ends:
            if end not in index:
                raise NotationError(f"expected edges between known cells, got {end!r}")
        neighbour_sets: list[set[int]] = [set() for _ in index]
        for a, b in pairs:
            if a == b:
                raise NotationError(
                    f"expected edges between two cells, got one from {a!r} to itself"
                )
            neighbour_sets[index[a]].add(index[b])
            neighbour_sets[index[b]].add(index[a])
        names = tuple(index)
        return cls(
            np.cumsum([0, *map(len, neighbour_sets)], dtype=np.int32),
            np.array([cell for cells in neighbour_sets for cell in sorted(cells)], dtype=np.int32),
            names=names,
            outlines=_values_in_order(outlines, names, "outlines", _parse_outline),
            points=_values_in_order(points, names, "positions", _parse_point),
        )

    @classmethod
    def from_graph(cls, graph: Any) -> Board:
        """Make a board from a networkx graph, or any object with similar `.nodes` and `.edges`.

        The name of a cell is the `str` of its node without white space: (0, 1) becomes (0,1).
        A node attribute ``pos`` (x, y) is used for drawing.
        Directions and repeated edges are ignored.
        """
        if not (hasattr(graph, "nodes") and hasattr(graph, "edges")):
            raise WrongType(f"expected a graph with nodes and edges, got {graph!r:.60}")
        names = {node: "".join(str(node).split()) for node in graph.nodes}
        edges = [(names[edge[0]], names[edge[1]]) for edge in graph.edges]
        attributes = dict(graph.nodes(data=True)) if callable(graph.nodes) else {}
        if len(set(names.values())) != len(names):
            raise NotationError("two nodes of the graph have the same name")
        points = None
        if attributes and all("pos" in attributes[node] for node in names):
            points = {name: attributes[node]["pos"] for node, name in names.items()}
        return cls.from_edges(edges, names.values(), points=points)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read a board: a tiling with its size, or the JSON of a graph; `str` writes it.

        >>> Board.parse("hexagonal 9x9")
        <Board hexagonal 9x9>
        """
        return parse_text(cls, text)

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.offsets) - 1

    @property
    def cells(self) -> range:
        """All cells, 0..n-1."""
        return range(len(self))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height (columns and rows) of a tiling's board; RulesError for a graph."""
        if self._size is None:
            raise RulesError("a graph has no width and height; use a board of a tiling")
        return self._size

    def around(self, cell: int) -> Ints:
        """Return the neighbours of a cell, ascending."""
        self._check_cell(cell)
        return self.neighbours[self.offsets[cell] : self.offsets[cell + 1]]

    def neighbour_count(self, cell: int) -> int:
        """Return the number of neighbours of a cell."""
        self._check_cell(cell)
        return int(self.offsets[cell + 1] - self.offsets[cell])

    def count_around(self, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Return, for each cell, how many of its neighbours are in a boolean mask."""
        sums = np.concatenate(([0], np.cumsum(mask[self.neighbours])))
        counts: npt.NDArray[np.int64] = sums[self.offsets[1:]] - sums[self.offsets[:-1]]
        return counts

    @cached_property
    def neighbour_counts(self) -> Ints:
        """The number of neighbours of each cell."""
        return frozen(np.diff(self.offsets), np.int32)

    def name(self, cell: int) -> str:
        """Return the name of a cell, such as r3c5."""
        return self.names[self.cell(cell)]

    def cell(self, name: str | int) -> int:
        """Return the cell of that name; an integer is checked and returned."""
        if not isinstance(name, str):
            cell = check_int(name, f"a cell of {self}")
            self._check_cell(cell)
            return cell
        # A tiling computes the cell of a name, so that large boards need no index.
        find = getattr(self.names, "find", None) or self._cell_by_name.get
        index: int | None = find(name)
        if index is None:
            raise NotationError(f"expected a cell of {self}, got {name!r:.60}")
        return index

    def _check_cell(self, cell: int) -> None:
        # Python would count a negative index from the end.
        if not 0 <= cell < len(self.offsets) - 1:
            raise NotationError(f"expected a cell of {self}, got {cell!r:.60}")

    def neighbour_names(self, name: str | int) -> tuple[str, ...]:
        """Return the names of a cell's neighbours."""
        return tuple(self.names[int(other)] for other in self.around(self.cell(name)))

    @property
    def middle(self) -> int:
        """The default first click: the middle cell of a tiling, cell 0 of a graph."""
        if self._size is None:
            return 0
        width, height = self._size
        return (height + 1) // 2 * width - width + (width + 1) // 2 - 1

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield every pair of neighbours once, the lower cell first."""
        for cell in self.cells:
            for other in self.around(cell):
                if cell < other:
                    yield cell, int(other)

    def breadth_first(self) -> list[int]:
        """Return all cells in breadth-first order, from the lowest cell of each connected part."""
        order: list[int] = []
        seen: set[int] = set()
        for start in self.cells:
            if start in seen:
                continue
            seen.add(start)
            queue = [start]
            for cell in queue:
                new = [other for other in self.around(cell).tolist() if other not in seen]
                seen.update(new)
                queue += new
            order += queue
        return order

    @property
    def has_outlines(self) -> bool:
        """Whether cells can be drawn as polygons."""
        return self._outlines is not None

    def outline(self, cell: int) -> Outline:
        """Return the corners of a cell, clockwise with y pointing down."""
        if self._outlines is None:
            raise RulesError("this graph has no outlines")
        self._check_cell(cell)
        return self._outlines[cell]

    def point(self, cell: int) -> Point | None:
        """Return the place at which to draw a cell, if the graph specifies one."""
        self._check_cell(cell)
        return None if self._points is None else self._points[cell]

    @cached_property
    def key(self) -> Hashable:
        """The value by which boards are compared and hashed."""
        if self.tiling is not None:
            return (self.tiling, self._size)
        return (tuple(self.names), self.offsets.tobytes(), self.neighbours.tobytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def title(self) -> str:
        """A short description: tiling and size, or the number of cells of a graph."""
        if self._size is None:
            return f"graph of {len(self)} cells"
        return f"{self.tiling} {self._size[0]}x{self._size[1]}"

    def __str__(self) -> str:
        """Return the text that `parse` reads: a tiling with its size, or the JSON of a graph."""
        return to_text(self) if self._size is None else self.title

    def __format__(self, spec: str) -> str:
        # In a message a graph is written as its title: its JSON may be pages long.
        return format(self.title, spec)

    def __repr__(self) -> str:
        return f"<Board {self.title}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # A tiling's board is pickled as its name and size, however many cells it has.
        if self._rebuild is not None and self._size is not None:
            return self._rebuild, (self.tiling, *self._size)
        arrays = self.offsets, self.neighbours, self.names, self._outlines, self._points
        return _unpickle_graph, arrays

    def _repr_svg_(self) -> str | None:
        return notebook_svg(self)

    @cached_property
    def _cell_by_name(self) -> dict[str, int]:
        return {name: cell for cell, name in enumerate(self.names)}


def _unpickle_graph(
    offsets: Ints, neighbours: Ints, names: Sequence[str], outlines: Any, points: Any
) -> Board:
    return Board(offsets, neighbours, names=names, outlines=outlines, points=points)


def _parse_edge(edge: Any) -> tuple[str, str]:
    if (
        not isinstance(edge, tuple | list)
        or len(edge) != 2
        or not all(isinstance(end, str) for end in edge)
    ):
        raise NotationError(f"expected an edge as two names, got {edge!r:.60}")
    return edge[0], edge[1]


def _parse_point(value: Any) -> Point:
    xy: list[Any] = list(value) if isinstance(value, tuple | list | np.ndarray) else []
    number_types = int, float, np.integer, np.floating
    # Only nan differs from itself.
    if len(xy) != 2 or not all(isinstance(x, number_types) and x == x for x in xy):
        raise NotationError(f"expected a point as two numbers, got {value!r:.60}")
    if max(map(abs, xy)) >= 1e9:
        raise NotationError(f"expected a point as two numbers below 1e9, got {value!r:.60}")
    return float(xy[0]), float(xy[1])


def _parse_outline(value: Any) -> Outline:
    if not isinstance(value, tuple | list | np.ndarray) or len(value) < 3:
        raise NotationError(f"expected an outline of at least three points, got {value!r:.60}")
    return tuple(map(_parse_point, value))


def is_cell_name(value: object) -> bool:
    """Return whether a value can be the name of a graph's cell."""
    return isinstance(value, str) and bool(value) and not _NOT_IN_NAMES.search(value)


def _index_by_name(names: Iterable[str]) -> dict[str, int]:
    index: dict[str, int] = {}
    for name in names:
        if not is_cell_name(name):
            raise NotationError(f"expected a cell name without white space, got {name!r:.60}")
        index.setdefault(name, len(index))
    if not index:
        raise RulesError("a board needs at least one cell")
    if len(index) > MAX_CELLS:
        raise RulesError(f"expected at most {MAX_CELLS:,} cells, got {len(index):,}")
    return index


def _values_in_order(
    values: Mapping[str, Any] | None, names: Sequence[str], noun: str, parse: Callable[[Any], T]
) -> tuple[T, ...] | None:
    """Return the parsed values of all cells in order; *noun* describes the values in errors."""
    if values is None:
        return None
    for name in sorted(values.keys() - set(names)):
        raise NotationError(f"expected {noun} of cells of the board, got {name!r:.60}")
    for name in names:
        if name not in values:
            raise NotationError(f"expected {noun} of all cells, got none for {name!r:.60}")
    return tuple(parse(values[name]) for name in names)
