"""Sapper, a Minesweeper toolkit: play, solve, explain, generate, print and measure.

The public names are listed in ``__init__.pyi``. Each one is imported from its module when it is
first used, so that ``import sapper`` stays fast.
"""

import lazy_loader

__version__ = "0.3.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
