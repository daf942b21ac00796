"""The patch benchmark in numpy: sgemm for every distance, in blocks that fit the
cache, no copies that can be avoided. Prints the processor seconds of one task.

Usage: numpy_peer.py FOLDER matching|retrieval|verification

FOLDER holds what peer_test.go writes: rows.f32 (sequence, image, patch, element;
image 0 is the reference, then 5 easy, 5 hard, 5 tough), shape.i32, pairs.i32 (list,
pair, 6: sequence, image, patch of both), queries.i32 and pool.i32 (row, 2:
sequence, patch). Values are float32; squared distances are |a|² + |b|² − 2ab."""
import sys
import time

import numpy as np

folder, task = sys.argv[1:]
read = lambda name, t, *shape: np.fromfile(f"{folder}/{name}", t).reshape(shape)
sequences, patches, dim = read("shape.i32", "i4", -1)
rows = read("rows.f32", "f4", sequences, 16, patches, dim)
flat = rows.reshape(-1, dim)
with open("/proc/self/maps") as maps:
    if "openblas" not in maps.read():
        sys.exit("numpy has no OpenBLAS: install libopenblas0-pthread")


def matching():
    """The nearest neighbour of every reference patch in 15 images, and the AP."""
    squares = np.einsum("ij,ij->i", flat, flat).reshape(sequences, 16, patches)
    dots, own, aps = np.empty((patches, patches), "f4"), np.arange(patches), []
    for s in range(sequences):
        for k in range(1, 16):
            np.dot(rows[s, 0], rows[s, k].T, out=dots)
            dots *= -2
            dots += squares[s, k]
            nearest = dots.argmin(1)
            distance = dots[own, nearest] + squares[s, 0]
            correct = (nearest == own)[np.argsort(distance, kind="stable")]
            aps.append((np.cumsum(correct)[correct] / (np.flatnonzero(correct) + 1)).sum() / patches)
    return np.mean(aps)


def retrieval():
    """The rank of 15 counterparts of each query in pools of 7 sizes."""
    queries, pool = read("queries.i32", "i4", -1, 2), read("pool.i32", "i4", -1, 2)
    candidates = rows[pool[:, 0], 0, pool[:, 1]]
    squares = np.einsum("ij,ij->i", candidates, candidates)
    sizes = np.array([100, 500, 1000, 5000, 10000, 15000, 20000]) - 5
    ends = np.empty((sequences, 7), int)
    for s in range(sequences):
        others = np.cumsum(pool[:, 0] != s)
        ends[s] = np.searchsorted(others, np.minimum(sizes, others[-1])) + 1
    block, positions = 64, np.arange(1, 6)[:, None]
    dots, aps = np.empty((block, len(pool)), "f4"), np.zeros((3, 7))
    for first in range(0, len(queries), block):
        which = queries[first:first + block]
        q = rows[which[:, 0], 0, which[:, 1]]
        d = dots[:len(q)]
        np.dot(q, candidates.T, out=d)
        d *= -2
        d += squares
        counterparts = rows[which[:, 0], 1:, which[:, 1]]
        keys = np.einsum("bkd,bkd->bk", counterparts, counterparts) - 2 * np.einsum("bkd,bd->bk", counterparts, q)
        d[pool[:, 0] == which[:, :1]] = np.inf
        for r, key in enumerate(keys):
            nearer, start, total, limit = np.empty((15, 7), int), 0, 0, key.max()
            for c, end in enumerate(ends[which[r, 0]]):
                part = d[r, start:end]
                part = np.sort(part[part < limit])
                total = total + np.searchsorted(part, key)
                nearer[:, c], start = total, end
            for n in range(3):
                order = np.argsort(key[5 * n:5 * n + 5], kind="stable")
                aps[n] += (positions / (nearer[5 * n:5 * n + 5][order] + positions)).mean(0)
    return aps / len(queries)


def verification():
    """The distances of the pairs of three lists at three noise levels: gathering and
    distance only, neither sorting nor metrics."""
    at = lambda p, n: (p[:, 0] * 16 + np.where(p[:, 1] == 0, 0, 5 * n + p[:, 1])) * patches + p[:, 2]
    lists = read("pairs.i32", "i4", 3, -1, 6)
    block, total = 1024, 0
    for n in range(3):
        for pairs in lists:
            a, b = at(pairs[:, :3], n), at(pairs[:, 3:], n)
            distances = np.empty(len(pairs), "f4")
            for i in range(0, len(pairs), block):
                difference = flat[a[i:i + block]]
                difference -= flat[b[i:i + block]]
                distances[i:i + block] = np.einsum("ij,ij->i", difference, difference)
            total += np.sqrt(distances).sum()
    return total


start = time.process_time()
result = globals()[task]()
print(time.process_time() - start, np.mean(result))
