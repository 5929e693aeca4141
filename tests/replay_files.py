"""Builders of replay files in the formats of other programs.

A click is (milliseconds, button, row, column), the button "left" or "right"; cells have 16 pixels.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

Click = tuple[int, str, int, int]

SIDE = 16


def pressed(clicks: Iterable[Click]) -> Iterator[tuple[int, str, int, int]]:
    """Yield each click as button down and, 20 ms later, button up, in the centre of its cell."""
    for at, button, row, column in clicks:
        x, y = column * SIDE + SIDE // 2, row * SIDE + SIDE // 2
        yield at, f"{button} down", x, y
        yield at + 20, f"{button} up", x, y


def avf(width: int, height: int, mines: Sequence[tuple[int, int]], clicks: Sequence[Click]):
    """Return an Arbiter file: a custom level, mines from 1, events of eight bytes."""
    codes = {"left down": 3, "left up": 5, "right down": 9, "right up": 17}
    head = bytes([160, 0, 0, 0, 0, 6, width - 1, height - 1]) + len(mines).to_bytes(2, "big")
    places = bytes(n for row, column in mines for n in (row + 1, column + 1))
    places += bytes(16)  # a sum and the country
    size = f"W{width}H{height}M{len(mines)}"
    # 127: without question marks.
    note = f"\x7f\0[3|{size}|15.11.2026.12:00:00:6660|15.12:01:00:6660|B9T2.00]".encode()
    events = [(0, 1, SIDE // 2, SIDE // 2)]
    events += [(at, codes[what], x, y) for at, what, x, y in pressed(clicks)]
    body = b""
    for at, code, x, y in events:
        seconds, hundredths = divmod(at // 10, 100)
        low, high = (seconds + 1) & 255, (seconds + 1) >> 8
        body += bytes([code, x >> 8, low, x & 255, hundredths, y >> 8, high, y & 255])
    tail = (
        bytes(8) + b"cs=" + b"0" * 16 + b"\rRealTime: 1.00\rSkin: usual\rname\rArbiter 0.52.3\r\n"
    )
    return head + places + note + b"\x02\x03" + body + tail


def rmv(width: int, height: int, mines: Sequence[tuple[int, int]], clicks: Sequence[Click]):
    """Return a Viennasweeper file: lengths of all parts first; the first press is not an event."""
    codes = {"left down": 2, "left up": 3, "right down": 4, "right up": 5}
    result, version, properties = b"#".ljust(8), b"Vienna 3.0", bytes([0, 0, 1, 0])
    head = b"*rmv" + (1).to_bytes(2, "big") + bytes(4)
    head += len(result).to_bytes(2, "big") + len(version).to_bytes(2, "big") + bytes(4)
    head += (0).to_bytes(2, "big") + len(properties).to_bytes(2, "big") + bytes(4)
    board = bytes([width, height]) + len(mines).to_bytes(2, "big")
    board += bytes(n for row, column in mines for n in (column, row))
    body = b""
    for at, what, x, y in list(pressed(clicks))[1:]:
        body += bytes([codes[what]]) + (at << 8).to_bytes(4, "big")
        body += (x + 12).to_bytes(2, "big") + (y + 56).to_bytes(2, "big")
    return head + result + version + bytes(4) + bytes(4) + board + properties + body + b"\x0f"


def mvf(width: int, height: int, mines: Sequence[tuple[int, int]], clicks: Sequence[Click]):
    """Return a Clone 0.97 file: mines from 1, events of 40 bits, permuted by a seed in the file."""
    head = b"\x11\x4d" + bytes(25) + b"5" + bytes(46)
    head += bytes([11, 15]) + (2026).to_bytes(2, "big") + bytes([12, 0, 0, 1, 1])
    head += bytes(3) + bytes(2) + bytes(8) + bytes(1)
    board = bytes([width, height]) + len(mines).to_bytes(2, "big")
    board += bytes(n for row, column in mines for n in (column + 1, row + 1))
    leading = 4321
    bits = _shuffle(leading)
    down = {"left": 0, "right": 0}
    events = [(0, SIDE // 2, SIDE // 2, 0, 0)]
    for at, what, x, y in pressed(clicks):
        button, how = what.split()
        down[button] = int(how == "down")
        events.append((at, x, y, down["left"], down["right"]))
    body = b""
    for at, x, y, left, right in events:
        seconds, hundredths = divmod(at // 10, 100)
        value = right | left << 2 | y << 3 | x << 12 | hundredths << 21 | seconds << 28
        event = bytearray(5)
        for k in range(38):
            if value >> k & 1:
                event[bits[k] // 8] |= 1 << bits[k] % 8
        body += bytes(event)
    count = len(events).to_bytes(3, "big")
    return head + board + bytes([4]) + b"name" + leading.to_bytes(2, "big") + count + body


def _shuffle(leading: int) -> list[int]:
    """Return the place of each bit of an event: 40 digits of sines and cosines, sorted."""
    root, second_root = math.sqrt(leading), math.sqrt(leading + 1000)
    third_root = math.sqrt(root + 1000)
    waves = (
        math.cos(third_root + 1000),
        math.sin(math.sqrt(second_root)),
        math.cos(third_root),
        math.sin(math.sqrt(root) + 1000),
        math.cos(math.sqrt(second_root + 1000)),
    )
    digits = "".join(f"{round(abs(wave) * 1e8):08}" for wave in waves)
    return sorted(range(40), key=lambda place: (digits[place], place))
