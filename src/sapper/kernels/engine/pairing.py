"""Pass 1 of a join: pair the states of two nodes by their keys, in a hash table.

Most of the time is spent here, so there are two versions: for keys of one word, which nearly all
positions have, and for wider ones. `joins` describes keys.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.engine.workspace import Workspace, check_limits

ONE = cython.declare(cython.ulonglong, 1)
MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
LOW_HALF = cython.declare(cython.ulonglong, 0xFFFFFFFF)


@cython.cfunc
@cython.nogil
def _start_hash(ws: Workspace, pairs: cython.double) -> cython.int:
    """Choose the size of the hash table and empty it; return its bits, or 0 if it must grow."""
    bits: cython.int = 4
    if pairs > 16384.0:
        pairs = 16384.0
    while (ONE << bits) < 2 * pairs:
        bits += 1
    if cython.cast(cython.longlong, ONE << bits) > ws.hashes_capacity:
        ws.requested = cython.cast(cython.longlong, ONE << bits)
        return 0
    _clear_hash(ws)
    return bits


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.longlong)
def _clear_hash(ws: Workspace) -> cython.void:
    """Empty the hash table by changing the age that valid entries carry."""
    ws.hash_age += 1
    if ws.hash_age >= 0x7FFFFFFF:
        for i in range(ws.hashes_capacity):
            ws.hash[i] = 0
        ws.hash_age = 1


@cython.locals(i=cython.int, j=cython.int, s=cython.int, low=cython.int, high=cython.int)
@cython.locals(bits=cython.int, status=cython.int, full=cython.int, k=cython.ulonglong)
@cython.locals(kb=cython.ulonglong, slot=cython.ulonglong, entry=cython.ulonglong)
@cython.locals(age=cython.ulonglong, wrap=cython.ulonglong)
def pair_states(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Pass 1 for keys of one word: links, and the states of c with the ranges of their terms."""
    rank: cython.int = 64
    first: cython.int = cython.cast(cython.int, ws.state_end)
    end: cython.int = first
    a_first: cython.int = ws.first_state[a]
    a_past: cython.int = ws.past_state[a]
    b_first: cython.int = ws.first_state[b]
    b_past: cython.int = ws.past_state[b]
    links: cython.longlong = ws.link_end
    part: cython.longlong = ws.part_end
    up: cython.ulonglong = ws.up[0]
    least: cython.ulonglong = ws.low[0]
    guard: cython.ulonglong = ws.guard[0]
    keep: cython.ulonglong = ws.keep[0]
    if part + (b_past - b_first) + 1 > ws.parts_capacity:
        ws.requested = 2 * (part + (b_past - b_first) + 1)
        return codes.GROW_PARTS
    bits = _start_hash(ws, cython.cast(cython.double, a_past - a_first) * (b_past - b_first))
    if bits == 0:
        return codes.GROW_HASHES
    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
    wrap = (ONE << bits) - 1
    full = cython.cast(cython.int, ONE << (bits - 1))
    ws.part_start[c] = part
    for j in range(b_first, b_past):
        ws.part[part] = links
        part += 1
        kb = ws.key[j]
        if links + (a_past - a_first) > ws.links_capacity:
            ws.requested = 2 * (links + (a_past - a_first))
            return codes.GROW_LINKS
        if end + (a_past - a_first) > ws.states_capacity:
            ws.requested = 2 * cython.cast(cython.longlong, end + (a_past - a_first))
            return codes.GROW_STATES
        if end + (a_past - a_first) > ws.keys_capacity:
            ws.requested = 2 * cython.cast(cython.longlong, end + (a_past - a_first))
            return codes.GROW_KEYS
        for i in range(a_first, a_past):
            k = ws.key[i] + kb
            if ((up - k) & guard) != guard or (((k | guard) - least) & guard) != guard:
                continue
            k &= keep
            slot = ((k * MIX) & MASK) >> (rank - bits)
            while True:
                entry = ws.hash[slot]
                if (entry & ~LOW_HALF) != age:
                    s = -1
                    break
                s = cython.cast(cython.int, entry & LOW_HALF)
                if ws.key[s] == k:
                    break
                slot = (slot + 1) & wrap
            low = ws.lowest[i] + ws.lowest[j]
            high = low + ws.length[i] + ws.length[j] - 2
            if s < 0:
                s = end
                end += 1
                ws.hash[slot] = age | cython.cast(cython.ulonglong, s)
                ws.key[s] = k
                ws.lowest[s] = low
                ws.length[s] = high
                if end - first > full:
                    bits += 2
                    if cython.cast(cython.longlong, ONE << bits) > ws.hashes_capacity:
                        ws.requested = cython.cast(cython.longlong, ONE << bits)
                        return codes.GROW_HASHES
                    _rehash(ws, first, end, bits)
                    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
                    wrap = (ONE << bits) - 1
                    full = cython.cast(cython.int, ONE << (bits - 1))
            else:
                if low < ws.lowest[s]:
                    ws.lowest[s] = low
                if high > ws.length[s]:
                    ws.length[s] = high
            ws.link_from[links] = i
            ws.link_to[links] = s
            links += 1
        status = check_limits(ws, a_past - a_first)
        if status:
            return status
    ws.part[part] = links
    ws.part_end = part + 1
    ws.link_end = links
    ws.first_state[c] = first
    ws.past_state[c] = end
    return codes.OK


@cython.cfunc
@cython.nogil
@cython.locals(s=cython.int, slot=cython.ulonglong, age=cython.ulonglong)
def _rehash(ws: Workspace, first: cython.int, past: cython.int, bits: cython.int) -> cython.void:
    """Insert the keys first..past into an empty table with that number of bits."""
    wrap: cython.ulonglong = (ONE << bits) - 1
    _clear_hash(ws)
    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
    for s in range(first, past):
        slot = _hash_of(ws, cython.cast(cython.longlong, s) * ws.words) >> (64 - bits)
        while (ws.hash[slot] & ~LOW_HALF) == age:
            slot = (slot + 1) & wrap
        ws.hash[slot] = age | cython.cast(cython.ulonglong, s)


@cython.cfunc
@cython.nogil
@cython.locals(w=cython.int)
def _hash_of(ws: Workspace, at: cython.longlong) -> cython.ulonglong:
    """Return the hash of the key at ws.key[at:at + words]."""
    x: cython.ulonglong = (ws.key[at] * MIX) & MASK
    for w in range(1, ws.words):
        x = (((x ^ (x >> 29)) + ws.key[at + w]) * MIX) & MASK
    return x


@cython.locals(i=cython.int, j=cython.int, s=cython.int, w=cython.int, low=cython.int)
@cython.locals(high=cython.int, bits=cython.int, status=cython.int, full=cython.int)
@cython.locals(same=cython.bint, ka=cython.longlong, kb=cython.longlong, kc=cython.longlong)
@cython.locals(ks=cython.longlong, k=cython.ulonglong, guard=cython.ulonglong)
@cython.locals(slot=cython.ulonglong, entry=cython.ulonglong, age=cython.ulonglong)
@cython.locals(wrap=cython.ulonglong)
def pair_wide_states(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Pass 1 for keys of several words: as `pair_states`, with the new key built in place."""
    words: cython.int = ws.words
    first: cython.int = cython.cast(cython.int, ws.state_end)
    end: cython.int = first
    a_first: cython.int = ws.first_state[a]
    a_past: cython.int = ws.past_state[a]
    b_first: cython.int = ws.first_state[b]
    b_past: cython.int = ws.past_state[b]
    links: cython.longlong = ws.link_end
    part: cython.longlong = ws.part_end
    if part + (b_past - b_first) + 1 > ws.parts_capacity:
        ws.requested = 2 * (part + (b_past - b_first) + 1)
        return codes.GROW_PARTS
    bits = _start_hash(ws, cython.cast(cython.double, a_past - a_first) * (b_past - b_first))
    if bits == 0:
        return codes.GROW_HASHES
    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
    wrap = (ONE << bits) - 1
    full = cython.cast(cython.int, ONE << (bits - 1))
    ws.part_start[c] = part
    for j in range(b_first, b_past):
        ws.part[part] = links
        part += 1
        kb = cython.cast(cython.longlong, j) * words
        if links + (a_past - a_first) > ws.links_capacity:
            ws.requested = 2 * (links + (a_past - a_first))
            return codes.GROW_LINKS
        if end + (a_past - a_first) > ws.states_capacity:
            ws.requested = 2 * cython.cast(cython.longlong, end + (a_past - a_first))
            return codes.GROW_STATES
        # One key more than there can be states: the candidate is written after the last one.
        if cython.cast(cython.longlong, end + (a_past - a_first) + 1) * words > ws.keys_capacity:
            ws.requested = 2 * cython.cast(cython.longlong, end + (a_past - a_first) + 1) * words
            return codes.GROW_KEYS
        for i in range(a_first, a_past):
            ka = cython.cast(cython.longlong, i) * words
            kc = cython.cast(cython.longlong, end) * words
            same = True
            for w in range(words):
                k = ws.key[ka + w] + ws.key[kb + w]
                guard = ws.guard[w]
                if ((ws.up[w] - k) & guard) != guard or (
                    ((k | guard) - ws.low[w]) & guard
                ) != guard:
                    same = False
                    break
                ws.key[kc + w] = k & ws.keep[w]
            if not same:
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
                slot = (slot + 1) & wrap
            low = ws.lowest[i] + ws.lowest[j]
            high = low + ws.length[i] + ws.length[j] - 2
            if s < 0:
                s = end
                end += 1
                ws.hash[slot] = age | cython.cast(cython.ulonglong, s)
                ws.lowest[s] = low
                ws.length[s] = high
                if end - first > full:
                    bits += 2
                    if cython.cast(cython.longlong, ONE << bits) > ws.hashes_capacity:
                        ws.requested = cython.cast(cython.longlong, ONE << bits)
                        return codes.GROW_HASHES
                    _rehash(ws, first, end, bits)
                    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
                    wrap = (ONE << bits) - 1
                    full = cython.cast(cython.int, ONE << (bits - 1))
            else:
                if low < ws.lowest[s]:
                    ws.lowest[s] = low
                if high > ws.length[s]:
                    ws.length[s] = high
            ws.link_from[links] = i
            ws.link_to[links] = s
            links += 1
        status = check_limits(ws, a_past - a_first)
        if status:
            return status
    ws.part[part] = links
    ws.part_end = part + 1
    ws.link_end = links
    ws.first_state[c] = first
    ws.past_state[c] = end
    return codes.OK
