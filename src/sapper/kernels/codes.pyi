"""Written by tools/kernel_stubs.py from the source."""


OK: int
NO_PLACEMENT: int
WRONG_COUNT: int
OUT_OF_TIME: int
CANCELLED: int
TOO_WIDE: int
IMPRECISE: int
GROW: int
GROW_NODES: int
GROW_SCOPES: int
GROW_STATES: int
GROW_KEYS: int
GROW_TERMS: int
GROW_LINKS: int
GROW_PARTS: int
GROW_HASHES: int
UNKNOWN: int
MINE: int
FREE: int
SHOWN: int
BLANK: int
FLAG: int
OPEN: int
STRAIGHT: int
FEWEST: int
LIGHTEST: int
SWEEP: int
WAVE: int
ORDERS: int
READING: int
PLANNING: int
STARTING: int
JOINING: int
BUCKETS: int
MOST_WORDS: int
