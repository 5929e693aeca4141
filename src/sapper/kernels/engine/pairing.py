"""Pass 1 of a join: pair the states of two nodes by their keys, in a hash table.

An entry of the table is the index of a state with the age of the table above it: to empty the
table, the age is increased. Most of the time is spent here, so there are two versions: for keys of
one word, which nearly all positions have, and for wider ones. `joins` describes keys.

k a key; ka, kb, kc, ks the index of the first word of the key of a state of a, of b, of the new
state and of state s. In `pair_states`, kb is the key itself. slot_mask wraps a slot at the end of
the table; with more than max_states states the table is enlarged.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.engine.workspace import Workspace, check_limits

ONE = cython.declare(cython.ulonglong, 1)
MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
LOW_HALF = cython.declare(cython.ulonglong, 0xFFFFFFFF)
# The table is sized for this many pairs of states at first, and grows where there are more.
MAX_INITIAL_PAIRS = cython.declare(cython.double, 16384.0)


@cython.cfunc
@cython.nogil
def _start_join(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Reserve the parts of node c and empty the hash table.

    Return OK, GROW_PARTS or GROW_HASHES.
    """
    right: cython.int = ws.state_stop[b] - ws.first_state[b]
    pairs: cython.double = cython.cast(cython.double, ws.state_stop[a] - ws.first_state[a]) * right
    if ws.part_end + right + 1 > ws.parts_capacity:
        ws.requested = 2 * (ws.part_end + right + 1)
        return codes.GROW_PARTS
    ws.part_start[c] = ws.part_end
    if pairs > MAX_INITIAL_PAIRS:
        pairs = MAX_INITIAL_PAIRS
    ws.hash_bits = 4
    while (ONE << ws.hash_bits) < 2 * pairs:
        ws.hash_bits += 1
    if cython.cast(cython.longlong, ONE << ws.hash_bits) > ws.hashes_capacity:
        ws.requested = cython.cast(cython.longlong, ONE << ws.hash_bits)
        return codes.GROW_HASHES
    _clear_hash(ws)
    return codes.OK


@cython.cfunc
@cython.nogil
def _clear_hash(ws: Workspace) -> cython.void:
    """Empty the hash table by changing the age that valid entries carry."""
    ws.hash_age += 1
    if ws.hash_age >= 0x7FFFFFFF:
        for i in range(ws.hashes_capacity):
            ws.hash[i] = 0
        ws.hash_age = 1


def pair_states(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Pass 1 for keys of one word: links, and the states of c with the ranges of their terms."""
    first: cython.int = cython.cast(cython.int, ws.state_end)
    end: cython.int = first
    a_first: cython.int = ws.first_state[a]
    a_stop: cython.int = ws.state_stop[a]
    b_first: cython.int = ws.first_state[b]
    b_stop: cython.int = ws.state_stop[b]
    links: cython.longlong = ws.link_end
    part: cython.longlong = ws.part_end
    upper: cython.ulonglong = ws.upper[0]
    lower: cython.ulonglong = ws.lower[0]
    guard: cython.ulonglong = ws.guard[0]
    keep: cython.ulonglong = ws.keep[0]
    status: cython.int = _start_join(ws, a, b, c)
    if status:
        return status
    bits: cython.int = ws.hash_bits
    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
    slot_mask = (ONE << bits) - 1
    max_states = cython.cast(cython.int, ONE << (bits - 1))
    for j in range(b_first, b_stop):
        ws.part[part] = links
        part += 1
        kb = ws.key[j]
        if links + (a_stop - a_first) > ws.links_capacity:
            ws.requested = 2 * (links + (a_stop - a_first))
            return codes.GROW_LINKS
        if end + (a_stop - a_first) > ws.states_capacity:
            ws.requested = 2 * cython.cast(cython.longlong, end + (a_stop - a_first))
            return codes.GROW_STATES
        if end + (a_stop - a_first) > ws.keys_capacity:
            ws.requested = 2 * cython.cast(cython.longlong, end + (a_stop - a_first))
            return codes.GROW_KEYS
        for i in range(a_first, a_stop):
            k = ws.key[i] + kb
            if ((upper - k) & guard) != guard or (((k | guard) - lower) & guard) != guard:
                continue
            k &= keep
            slot = ((k * MIX) & MASK) >> (64 - bits)
            while True:
                entry = ws.hash[slot]
                if (entry & ~LOW_HALF) != age:
                    s = -1
                    break
                s = cython.cast(cython.int, entry & LOW_HALF)
                if ws.key[s] == k:
                    break
                slot = (slot + 1) & slot_mask
            low = ws.lowest[i] + ws.lowest[j]
            high = low + ws.length[i] + ws.length[j] - 2
            if s < 0:
                s = end
                end += 1
                ws.hash[slot] = age | cython.cast(cython.ulonglong, s)
                ws.key[s] = k
                ws.lowest[s] = low
                ws.length[s] = high
                if end - first > max_states:
                    bits += 2
                    if not _rehash(ws, first, end, bits):
                        return codes.GROW_HASHES
                    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
                    slot_mask = (ONE << bits) - 1
                    max_states = cython.cast(cython.int, ONE << (bits - 1))
            else:
                if low < ws.lowest[s]:
                    ws.lowest[s] = low
                if high > ws.length[s]:
                    ws.length[s] = high
            ws.link_from[links] = i
            ws.link_to[links] = s
            links += 1
        status = check_limits(ws, a_stop - a_first)
        if status:
            return status
    _end_join(ws, c, part, links, first, end)
    return codes.OK


@cython.cfunc
@cython.nogil
def _end_join(
    ws: Workspace,
    c: cython.int,
    part: cython.longlong,
    links: cython.longlong,
    first: cython.int,
    end: cython.int,
) -> cython.void:
    """Record the links and the states first..end of node c."""
    ws.part[part] = links
    ws.part_end = part + 1
    ws.link_end = links
    ws.first_state[c] = first
    ws.state_stop[c] = end


@cython.cfunc
@cython.nogil
def _rehash(ws: Workspace, first: cython.int, stop: cython.int, bits: cython.int) -> cython.bint:
    """Insert the keys first..stop into an empty table with that number of bits.

    Return False where the pool must grow first.
    """
    slot_mask: cython.ulonglong = (ONE << bits) - 1
    if cython.cast(cython.longlong, ONE << bits) > ws.hashes_capacity:
        ws.requested = cython.cast(cython.longlong, ONE << bits)
        return False
    _clear_hash(ws)
    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
    for s in range(first, stop):
        slot = _hash_of(ws, cython.cast(cython.longlong, s) * ws.words) >> (64 - bits)
        while (ws.hash[slot] & ~LOW_HALF) == age:
            slot = (slot + 1) & slot_mask
        ws.hash[slot] = age | cython.cast(cython.ulonglong, s)
    return True


@cython.cfunc
@cython.nogil
def _hash_of(ws: Workspace, first_word: cython.longlong) -> cython.ulonglong:
    """Return the hash of the key at ws.key[first_word:first_word + words]."""
    x: cython.ulonglong = (ws.key[first_word] * MIX) & MASK
    for w in range(1, ws.words):
        x = (((x ^ (x >> 29)) + ws.key[first_word + w]) * MIX) & MASK
    return x


def pair_wide_states(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Pass 1 for keys of several words: as `pair_states`, with the new key built in place."""
    words: cython.int = ws.words
    first: cython.int = cython.cast(cython.int, ws.state_end)
    end: cython.int = first
    a_first: cython.int = ws.first_state[a]
    a_stop: cython.int = ws.state_stop[a]
    b_first: cython.int = ws.first_state[b]
    b_stop: cython.int = ws.state_stop[b]
    links: cython.longlong = ws.link_end
    part: cython.longlong = ws.part_end
    status: cython.int = _start_join(ws, a, b, c)
    if status:
        return status
    bits: cython.int = ws.hash_bits
    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
    slot_mask = (ONE << bits) - 1
    max_states = cython.cast(cython.int, ONE << (bits - 1))
    for j in range(b_first, b_stop):
        ws.part[part] = links
        part += 1
        kb = cython.cast(cython.longlong, j) * words
        if links + (a_stop - a_first) > ws.links_capacity:
            ws.requested = 2 * (links + (a_stop - a_first))
            return codes.GROW_LINKS
        if end + (a_stop - a_first) > ws.states_capacity:
            ws.requested = 2 * cython.cast(cython.longlong, end + (a_stop - a_first))
            return codes.GROW_STATES
        # One key more than there can be states: the candidate is written after the last one.
        if cython.cast(cython.longlong, end + (a_stop - a_first) + 1) * words > ws.keys_capacity:
            ws.requested = 2 * cython.cast(cython.longlong, end + (a_stop - a_first) + 1) * words
            return codes.GROW_KEYS
        for i in range(a_first, a_stop):
            ka = cython.cast(cython.longlong, i) * words
            kc = cython.cast(cython.longlong, end) * words
            in_range = True
            for w in range(words):
                k = ws.key[ka + w] + ws.key[kb + w]
                guard = ws.guard[w]
                if ((ws.upper[w] - k) & guard) != guard or (
                    ((k | guard) - ws.lower[w]) & guard
                ) != guard:
                    in_range = False
                    break
                ws.key[kc + w] = k & ws.keep[w]
            if not in_range:
                continue
            slot = _hash_of(ws, kc) >> (64 - bits)
            while True:
                entry = ws.hash[slot]
                if (entry & ~LOW_HALF) != age:
                    s = -1
                    break
                s = cython.cast(cython.int, entry & LOW_HALF)
                ks = cython.cast(cython.longlong, s) * words
                same = True
                for w in range(words):
                    if ws.key[ks + w] != ws.key[kc + w]:
                        same = False
                        break
                if same:
                    break
                slot = (slot + 1) & slot_mask
            low = ws.lowest[i] + ws.lowest[j]
            high = low + ws.length[i] + ws.length[j] - 2
            if s < 0:
                s = end
                end += 1
                ws.hash[slot] = age | cython.cast(cython.ulonglong, s)
                ws.lowest[s] = low
                ws.length[s] = high
                if end - first > max_states:
                    bits += 2
                    if not _rehash(ws, first, end, bits):
                        return codes.GROW_HASHES
                    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
                    slot_mask = (ONE << bits) - 1
                    max_states = cython.cast(cython.int, ONE << (bits - 1))
            else:
                if low < ws.lowest[s]:
                    ws.lowest[s] = low
                if high > ws.length[s]:
                    ws.length[s] = high
            ws.link_from[links] = i
            ws.link_to[links] = s
            links += 1
        status = check_limits(ws, a_stop - a_first)
        if status:
            return status
    _end_join(ws, c, part, links, first, end)
    return codes.OK
