"""Fixtures that run the command and the page."""

from tests.unit.cli.conftest import sapper
from tests.unit.web.conftest import client, no_disk_sync, server, server_folder

# Fixtures of other folders that pytest finds here because they are imported.
__all__ = ["client", "no_disk_sync", "sapper", "server", "server_folder"]
