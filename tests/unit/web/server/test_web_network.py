"""Addresses on the network and QR codes."""

import asyncio
import ipaddress
import socket

import pytest
import segno

from sapper.errors import NotationError
from sapper.render.qr_codes import qr_lines, qr_rows
from sapper.web import serve
from sapper.web.server.invitations import check_name, lan_address

LINK = "http://192.168.1.5:8765/enter/abcdefghijklmnopqrstuv"


def test_qr_code_contains_the_link():
    # `segno.make` also makes a QR code for this length.
    assert list(qr_rows(LINK)) == [
        "".join(map(str, row)) for row in segno.make(LINK, error="l").matrix
    ]


@pytest.mark.parametrize("colours", [False, True])
def test_qr_code_in_the_terminal_has_two_rows_per_line_and_a_light_border(colours):
    rows = list(qr_rows(LINK))
    lines = qr_lines(LINK, colours=colours)
    if colours:
        assert all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in lines)
        lines = [line[8:-4] for line in lines]
    halves = {"█": "00", "▀": "01", "▄": "10", " ": "11"}
    decoded = []
    for line in lines:
        decoded += ["".join(halves[block][half] for block in line) for half in (0, 1)]
    assert [row[2:-2] for row in decoded[2 : 2 + len(rows)]] == rows
    border = decoded[:2] + decoded[2 + len(rows) :] + [row[:2] + row[-2:] for row in decoded]
    assert set("".join(border)) == {"0"}


def test_host_names_are_checked():
    for given in ("Laptop.local", "laptop", "a-1.home.arpa.", "192.168.1.20", "fe80::1"):
        assert check_name(given) == given.lower().removesuffix(".")
    for name in ("", ".", "a b", "a_b", "-a", "a-", "a..b", "x" * 64, "1.2.3.400", "ä", "[::1]"):
        with pytest.raises(NotationError, match="expected a name such as"):
            check_name(name)


@pytest.mark.parametrize("ipv6", [False, True])
def test_address_on_the_network_is_valid_or_none(ipv6):
    text = lan_address(ipv6)
    if text is not None:
        address = ipaddress.ip_address(text)
        assert address.version == (6 if ipv6 else 4)
        assert not address.is_unspecified


def test_port_of_a_server_that_has_just_ended_can_be_used_again():
    with serve._listen("127.0.0.1", 0) as listener:
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


def test_responses_do_not_wait_for_acknowledgements():
    async def accepted_options() -> int:
        options = asyncio.get_running_loop().create_future()

        def on_connection(reader, writer):
            connection = writer.get_extra_info("socket")
            options.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = serve._listen("127.0.0.1", 0)
        server = await asyncio.start_server(on_connection, sock=listener)
        async with server:
            _, writer = await asyncio.open_connection(*listener.getsockname())
            writer.close()
            return await options

    assert asyncio.run(accepted_options()) != 0
