"""JSON in pieces: the same as all at once, however the bytes come."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.errors import NotationError
from sapper.web.profile import json_stream
from sapper.web.profile.json_stream import Reader, written

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=8,
)


def pieces_of(data):
    """The pieces of an object, the obvious way."""
    return [
        (key, item)
        for key, value in data.items()
        for item in (value if isinstance(value, list) else [value])
    ]


def read(data, sizes):
    """The pieces of bytes that come in chunks of these sizes, the last one over and over."""
    reader, found, at = Reader(), [], 0
    sizes = iter(sizes)
    size = 1
    while at < len(data):
        size = next(sizes, size)
        found += reader.feed(data[at : at + size])
        at += size
    return found + reader.feed(b"", last=True)


@given(
    st.dictionaries(st.text(), VALUES, max_size=4),
    st.lists(st.integers(1, 9), max_size=8),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_pieces_are_those_of_the_whole(data, sizes, indent, ascii_only):
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    assert read(text.encode(), sizes) == pieces_of(data)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1]",
        "{",
        '{"a"',
        '{"a" 1}',
        '{"a": 1,}',
        '{"a": [1,]}',
        '{"a": [1 2]}',
        '{"a": [1}',
        "{1: 2}",
        '{"a": 1} x',
        '{"a": NaN}',
        '{"a": [Infinity]}',
        '{"a": tru}',
        '{"a": ' + "[" * 5000,
    ],
)
@pytest.mark.parametrize("size", [1, 1000])
def test_what_is_no_json_object_is_refused(text, size):
    with pytest.raises(NotationError, match="expected JSON"):
        read(text.encode(), [size])


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(NotationError, match="UTF-8"):
        Reader().feed(b'{"a": "\xff"}')


def test_an_item_without_end_is_refused_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(json_stream, "MOST_LETTERS", 1000)
    reader = Reader()
    with pytest.raises(NotationError, match="expected JSON"):
        for _ in range(20):
            reader.feed(b'{"a": "' + b"x" * 100)
    # Many items are no matter.
    assert len(read(json.dumps({"a": list(range(5000))}).encode(), [64])) == 5000


def test_what_is_written_is_read():
    async def pages(*given):
        for page in given:
            yield page

    async def whole():
        lists = {"a": pages([1, 2], [], [{"b": [3]}]), "none": pages()}
        return "".join([text async for text in written({"format": "x"}, lists)])

    text = asyncio.run(whole())
    assert json.loads(text) == {"format": "x", "a": [1, 2, {"b": [3]}], "none": []}
