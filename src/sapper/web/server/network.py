"""The address of this machine on its network, and links as QR codes."""

from __future__ import annotations

import re
import socket

from sapper.errors import NotationError

# Reserved addresses. No packet is sent: the system only reports which local address it would use.
_PROBE_ADDRESSES = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)", re.ASCII)


def lan_address(ipv6: bool = False) -> str | None:
    """Return the address of this machine on its network, or None without a network."""
    remote, family = _PROBE_ADDRESSES[ipv6]
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((remote, 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address in ("0.0.0.0", "::") else address


def check_name(name: str) -> str:
    """Return a host name such as laptop.local in lower case; NotationError for anything else."""
    lower = name.lower().removesuffix(".")
    labels = lower.split(".")
    if len(lower) > 253 or not all(map(_LABEL.fullmatch, labels)) or labels[-1].isdecimal():
        raise NotationError(f"expected a name such as laptop.local, got {name!r:.60}")
    return lower


def qr_rows(text: str) -> list[str]:
    """Return a QR code as rows of 1 (dark) and 0 (light), without its light border."""
    import segno

    return ["".join(map(str, row)) for row in segno.make_qr(text, error="l").matrix]


def qr_lines(text: str, *, colours: bool) -> list[str]:
    """Return a QR code for a terminal, two of its rows in each line of half blocks.

    Without colours the blocks are the light parts, for a terminal with a dark background.
    """
    border = 2
    rows = qr_rows(text)
    side = "0" * border
    width = len(rows) + 2 * border
    empty = ["0" * width] * border
    full = [*empty, *(side + row + side for row in rows), *empty]
    if len(full) % 2:
        full.append("0" * width)
    lines = [
        "".join(_BLOCKS[upper + lower] for upper, lower in zip(one, other, strict=True))
        for one, other in zip(full[::2], full[1::2], strict=True)
    ]
    return [f"\x1b[97;40m{line}\x1b[0m" for line in lines] if colours else lines


_BLOCKS = {"00": "█", "01": "▀", "10": "▄", "11": " "}
