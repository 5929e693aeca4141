"""`python -m sapper` is the command `sapper`."""

from sapper.cli.main import main

main()
