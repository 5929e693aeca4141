"""Random changes of texts and files: parsers must answer them with a value or a short error."""

import random

PIECES = [*'\n :9x/#*cF{}[]",\x00é-\ud7ff\r?&=', "-1", "e9", "9" * 9, "99999999999", "ff", "🚩"]
PIECES += ["", "board:", "mines:", "null", "true", "1e999"]


def mutate_text(text: str, rng: random.Random) -> str:
    """Return a text with a few pieces inserted, removed or doubled, and sometimes cut off."""
    for _ in range(rng.randint(1, 4)):
        place = rng.randint(0, len(text))
        length = rng.choice([0, 0, 1, 1, 3, 9])
        middle = rng.choice([rng.choice(PIECES), text[place : place + length] * 2, ""])
        text = text[:place] + middle + text[place + length :]
    return text[: rng.choice([None, None, None, rng.randint(0, len(text))])]


def mutate_bytes(data: bytes, rng: random.Random) -> bytes:
    """Return a file with some bytes changed, sometimes cut off or extended."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        # The first bytes identify the format: often keep them, so that the rest is read too.
        first = rng.choice([0, 4, 4, 4])
        changed[rng.randrange(first, len(data))] = rng.choice([0, 255, rng.randrange(256)])
    end = rng.choice([*[len(data)] * 4, rng.randrange(len(data))])
    return bytes(changed[:end]) + bytes(rng.choice([0, 0, 0, 9]))
