#!/usr/bin/env python3
"""The benchmark's baselines MStd and Resz of two patches, by numpy.

meanstd.m and resize.m of hpatches-benchmark (matlab/+desc/+feats), with MATLAB's
imresize written as its documentation describes it: a matrix of weights per
dimension. Rows of resz are here in row-major order; MATLAB's are in column-major.

    python3 baseline.py > baseline.json
"""
import json

import numpy as np

SIDE = 65


def patch(seed):
    """Grey values of a linear congruential generator, smoothed by a moving mean."""
    values = np.empty(SIDE * SIDE, dtype=np.int64)
    state = seed
    for i in range(values.size):
        state = (state * 1664525 + 1013904223) % 2**32
        values[i] = state >> 24
    noise = values.reshape(SIDE, SIDE)
    return (noise + np.roll(noise, 1, 0) + np.roll(noise, 1, 1) + np.arange(SIDE)) // 4


def cubic(x):
    x = np.abs(x)
    return np.where(x <= 1, 1.5 * x**3 - 2.5 * x**2 + 1, np.where(x <= 2, -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2, 0))


def weights(n, m):
    """imresize's contributions of n samples to m, without antialiasing."""
    scale = m / n
    x = np.arange(1, m + 1)
    u = x / scale + 0.5 * (1 - 1 / scale)
    left = np.floor(u - 2)
    indices = left[:, None] + np.arange(6)
    w = cubic(u[:, None] - indices)
    w /= w.sum(1, keepdims=True)
    mirrored = np.concatenate([np.arange(n), np.arange(n)[::-1]])
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(6):
            out[i, mirrored[int(indices[i, j] - 1) % (2 * n)]] += w[i, j]
    return out


def mstd(p):
    return [p.mean(), p.std(ddof=1)]


def resz(p, m):
    p = (p - p.mean()) / p.std(ddof=1)
    w = weights(SIDE, m)
    x = (w @ p @ w.T).ravel()
    return list(x / np.sqrt((x * x).sum()))


rows = []
for seed in (1, 2):
    p = patch(seed).astype(float)
    rows.append({'seed': seed, 'mstd': mstd(p), 'resz': {str(m): [round(v, 9) for v in resz(p, m)] for m in (4, 6, 32)}})
print(json.dumps(rows))
