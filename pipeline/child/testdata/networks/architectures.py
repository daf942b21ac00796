#!/usr/bin/env python3
"""Checks the rows of patch networks in rows.npz, by numpy.

Each function is the forward pass as the authors' PyTorch code defines it, in
double precision, with pseudo-random weights; nothing here knows ONNX. The widths are
smaller than in the papers. The files *_opset*.onnx are the same networks as
torch.onnx.export writes them (opsets 11 and 18, a fixed and a dynamic batch); the rows of
rows.npz were computed from them in Go and by OpenCV 4.6.

    python3 architectures.py

Sources: DagnyT/hardnet examples/extract_hardnet_desc_from_hpatches_file.py;
kornia/feature/hardnet.py; scape-research/SOSNet sosnet_model.py;
yuruntian/HyNet model.py; vbalnt/tfeat tfeat_model.py.
"""
import pathlib

import numpy as np

WIDTHS = [1, 4, 4, 8, 8, 16, 16]
STRIDES = [1, 1, 2, 1, 2, 1]
DIM = 16


class Draw:
    """Numerical Recipes' linear congruential generator."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self, *shape):
        """From -0.5 to 0.5; exact in 32-bit floating point."""
        out = np.empty(int(np.prod(shape)))
        for i in range(out.size):
            self.state = (self.state * 1664525 + 1013904223) % 2**32
            out[i] = (self.state >> 8) / 2**24 - 0.5
        return out.reshape(shape)

    def weights(self, *shape):
        fan = int(np.prod(shape[1:]))
        factor = np.float32(4 / np.sqrt(fan))
        return (self.uniform(*shape).astype(np.float32) * factor).astype(float)

    def statistics(self, n):
        """Running mean and variance of a batch normalisation."""
        return self.uniform(n), self.uniform(n) + 1


def conv(x, w, b=None, stride=1, pad=1):
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    k = w.shape[2]
    windows = np.lib.stride_tricks.sliding_window_view(x, (k, k), axis=(2, 3))[:, :, ::stride, ::stride]
    y = np.einsum('nchwij,ocij->nohw', windows, w)
    return y if b is None else y + b[None, :, None, None]


def batch_norm(x, stats, eps=1e-5):
    mean, var = stats
    return (x - mean[None, :, None, None]) / np.sqrt(var + eps)[None, :, None, None]


def relu(x):
    return np.maximum(x, 0)


def instance_norm(x, eps=1e-5):
    return (x - x.mean((2, 3), keepdims=True)) / np.sqrt(x.var((2, 3), keepdims=True) + eps)


def l2net(x, r, bias):
    """The seven layers that HardNet and SOSNet share."""
    for i, stride in enumerate(STRIDES):
        w = r.weights(WIDTHS[i + 1], WIDTHS[i], 3, 3)
        b = r.uniform(WIDTHS[i + 1]) if bias else None
        x = relu(batch_norm(conv(x, w, b, stride), r.statistics(WIDTHS[i + 1])))
    w = r.weights(DIM, WIDTHS[-1], 8, 8)
    b = r.uniform(DIM) if bias else None
    return batch_norm(conv(x, w, b, pad=0), r.statistics(DIM))


def hardnet(x, r):
    flat = x.reshape(len(x), -1)
    mean = flat.sum(1) / (32. * 32.)
    std = flat.std(1, ddof=1) + 1e-7
    x = (x - mean[:, None, None, None]) / std[:, None, None, None]
    y = l2net(x, r, bias=True).reshape(len(x), -1)
    return y / np.sqrt((y * y).sum(1) + 1e-10)[:, None]


def kornia_hardnet(x, r):
    mean, std = x.mean((1, 2, 3), keepdims=True), x.std((1, 2, 3), ddof=1, keepdims=True)
    y = l2net((x - mean) / (std + 1e-6), r, bias=False).reshape(len(x), -1)
    return y / np.maximum(np.sqrt((y * y).sum(1, keepdims=True)), 1e-12)


def sosnet(x, r):
    y = l2net(instance_norm(x), r, bias=False).reshape(len(x), -1) + 1e-10
    # LocalResponseNorm(2 * DIM, alpha=2 * DIM, beta=0.5, k=0): its window holds all channels.
    return y / np.sqrt((y * y).sum(1, keepdims=True))


def hynet(x, r):
    def frn_tlu(x, c):
        gamma, beta, tau = r.uniform(c) + 1, r.uniform(c), r.uniform(c) - 1
        x = x / np.sqrt((x ** 2).mean((2, 3), keepdims=True) + 1e-6)
        x = gamma[None, :, None, None] * x + beta[None, :, None, None]
        return np.maximum(x, tau[None, :, None, None])

    x = frn_tlu(x, 1)
    for i, stride in enumerate(STRIDES):
        w, b = r.weights(WIDTHS[i + 1], WIDTHS[i], 3, 3), r.uniform(WIDTHS[i + 1])
        x = frn_tlu(conv(x, w, b, stride), WIDTHS[i + 1])
    y = batch_norm(conv(x, r.weights(DIM, WIDTHS[-1], 8, 8), pad=0), r.statistics(DIM)).squeeze()
    return y / np.sqrt((y ** 2).sum(1, keepdims=True) + 1e-10)


def tfeat(x, r):
    x = np.tanh(conv(instance_norm(x), r.weights(4, 1, 7, 7), r.uniform(4), pad=0))
    n, c, h, w = x.shape
    x = x.reshape(n, c, h // 2, 2, w // 2, 2).max((3, 5))
    x = np.tanh(conv(x, r.weights(8, 4, 6, 6), r.uniform(8), pad=0)).reshape(n, -1)
    w, b = r.weights(DIM, x.shape[1]), r.uniform(DIM)
    return np.tanh(x @ w.T + b)


def main():
    file = np.load(pathlib.Path(__file__).with_name('rows.npz'))
    for seed, network in enumerate([hardnet, kornia_hardnet, sosnet, hynet, tfeat], 2):
        want, found = network(file['patches'].astype(float), Draw(seed)), file[network.__name__]
        assert want.shape == found.shape and np.abs(want - found).max() < 2e-5, network.__name__


if __name__ == '__main__':
    main()
