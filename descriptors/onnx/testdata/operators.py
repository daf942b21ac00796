#!/usr/bin/env python3
"""What numpy makes of the operators that package onnx runs.

One case per line: operator, opset, attributes, inputs, output. An array is its
shape and its elements; its integers are written without a point. The definitions
are those of https://onnx.ai/onnx/operators/, each in double precision.

    python3 operators.py > operators.json
"""
import json

import numpy as np

r = np.random.default_rng(1)
cases = []


def pack(a):
    if a is None:
        return None
    a = np.asarray(a)
    kind = 'int' if a.dtype.kind in 'ib' else 'float'
    return {'shape': list(a.shape), kind: [int(v) if kind == 'int' else float('%.9g' % np.float32(v)) for v in a.ravel()]}


def case(op, out, *inputs, opset=13, **attributes):
    cases.append({'op': op, 'opset': opset, 'attributes': attributes, 'inputs': [pack(a) for a in inputs], 'output': pack(out)})


def f(*shape):
    return r.normal(size=shape).astype(np.float32).astype(float)


def i(*values):
    return np.array(values, dtype=np.int64)


# Element-wise, with broadcasting in every pattern that a loop can join.
pairs = [((2, 3, 2, 2), s) for s in [(2, 3, 2, 2), (2, 3, 1, 1), (1, 3, 1, 1), (2, 1, 1, 1), (2,), (2, 1), (2, 1, 2, 1), (1, 3, 1, 2), (), (1,)]]
pairs += [(b, a) for a, b in pairs] + [((2, 1, 3), (4, 1)), ((1, 1), (3, 1, 2)), ((0, 3), (1, 3))]
for a, b in pairs:
    x, y = f(*a), f(*b)
    case('Add', x + y, x, y)
    case('Sub', x - y, x, y)
    case('Mul', x * y, x, y)
    case('Div', x / y, x, y)
x, y = f(2, 3, 4), f(3, 1)
case('Max', np.maximum(x, y), x, y)
case('Min', np.minimum(np.minimum(x, y), 0.1), x, y, np.float64(np.float32(0.1)))
case('Max', x, x)
for p in [2., 0.5, 3., -1.]:
    case('Pow', np.abs(x) ** p, np.abs(x), np.float64(p))
case('Pow', np.abs(x) ** y, np.abs(x), y)
case('Pow', x ** 2, x, np.array(2))
case('Pow', x ** 2, x, np.full((1, 1, 1), 2.))
case('Equal', i(1, 0, 1), i(-1, 2, 3), i(-1, -1, 3))
case('Equal', i(1, 0), np.array([1., 2.]), np.array([1., 3.]))
case('Where', i(4, 9, 6), i(1, 0, 1), i(4, 5, 6), i(8, 9, 7))
case('Where', np.array([1., 4.]), i(1, 0), np.array([1., 2.]), np.array([3., 4.]))
case('Mul', i(2, -6), i(1, -2), i(2, 3))
case('Div', i(3, -3, 2), i(7, -7, 8), i(2, 2, 3))  # truncated, as in C
case('Clip', np.clip(x, -0.5, 0.25), x, opset=6 + 1, min=-0.5, max=0.25)
case('Clip', np.maximum(x, -0.5), x, np.float64(-0.5), opset=11)
case('Clip', np.minimum(x, 0.25), x, None, np.float64(0.25))
case('Abs', np.abs(x), x)
case('Neg', -x, x)
case('Sqrt', np.sqrt(np.abs(x)), np.abs(x))
case('Reciprocal', 1 / x, x)

# Reductions: axes as an attribute, as an input, missing.
reductions = {
    'ReduceMean': np.mean, 'ReduceSum': np.sum, 'ReduceProd': np.prod, 'ReduceMax': np.max, 'ReduceMin': np.min,
    'ReduceL1': lambda a, **k: np.abs(a).sum(**k), 'ReduceL2': lambda a, **k: np.sqrt((a * a).sum(**k)), 'ReduceSumSquare': lambda a, **k: (a * a).sum(**k),
}
x = f(2, 3, 4, 2)
for op, fn in reductions.items():
    for axes in [(1,), (-1,), (2, 3), (-3, -2, -1), (0, 2), (1, 3)]:
        case(op, fn(x, axis=axes, keepdims=True), x, opset=11, axes=list(axes), keepdims=1)
        case(op, fn(x, axis=axes), x, i(*axes), opset=18, keepdims=0)
    case(op, fn(x, axis=None, keepdims=True), x)
    case(op, fn(x, axis=None), x, opset=18, keepdims=0)
    case(op, x, x, opset=18, noop_with_empty_axes=1)
case('ReduceProd', np.array(60), i(3, 4, 5), keepdims=0)

# Shapes.
case('Shape', i(2, 3, 4, 2), x)
case('Shape', i(3, 4), x, opset=15, start=1, end=-1)
case('Shape', i(), np.float64(1))
for shape, result in [((2, -1), (2, 24)), ((-1,), (48,)), ((0, 0, -1), (2, 3, 8)), ((6, 8), (6, 8))]:
    case('Reshape', x.reshape(result), x, i(*shape))
y = f(1, 3, 1, 2)
case('Squeeze', y[0], y, opset=11, axes=[0])
case('Squeeze', y[:, :, 0], y, i(-2))
case('Squeeze', y[0, :, 0], y)
case('Unsqueeze', y[:, None], y, opset=11, axes=[1])
case('Unsqueeze', y[None, ..., None], y, i(0, -1))
case('Unsqueeze', i(7), np.array(7), i(0))
case('Expand', np.broadcast_to(y, (4, 3, 5, 2)), y, i(4, 3, 5, 2))
case('Expand', np.broadcast_to(y, (1, 3, 5, 2)), y, i(5, 1))
case('Expand', np.broadcast_to(y, (2, 1, 3, 1, 2)), y, i(2, 1, 1, 1, 1))
case('Transpose', x.transpose(0, 2, 3, 1), x, perm=[0, 2, 3, 1])
case('Transpose', x.transpose(), x)
case('Identity', x, x)
case('Dropout', x, x, opset=11, ratio=0.3)
case('Dropout', x, x, np.float64(0.5), np.array(0))
case('Cast', np.array([3., -2.]), i(3, -2), to=1)
case('Cast', i(3, -2), np.array([3.7, -2.7]), to=7)
case('ConstantOfShape', np.zeros((2, 3)), i(2, 3))
case('Concat', np.concatenate([x, x + 1, x], 2), x, x + 1, x, axis=2)
case('Concat', i(4, -1), i(4), i(-1), axis=0)
case('Concat', np.concatenate([y, y], -1), y, y, axis=-1)
case('Gather', np.array(4), i(3, 4, 5), np.array(1), axis=0)
case('Gather', i(5, 4), i(3, 4, 5), i(-1, 1), axis=0)
case('Gather', x[:, [[2, 0], [1, -1]]], x, np.array([[2, 0], [1, -1]]), axis=1)
case('Slice', x[:, 1:3], x, i(1), i(3), i(1))
case('Slice', x[0:1, :, ::-1, -3:-1], x, i(0, -1, -3), i(1, -2 ** 62, -1), i(0, 2, 3), i(1, -1, 1))
case('Slice', x[:, ::2, 1::2], x, i(0, 1), i(2 ** 62, 2 ** 62), i(1, 2), i(2, 2))
case('Slice', x[:, :, 3:0:-2], x, i(10), i(0), i(2), i(-2))
case('Slice', x[1:], x, opset=9, starts=[1], ends=[100])
case('Slice', x[:, 2:1], x, i(2), i(1), i(1))
case('Pad', np.pad(x, ((0, 1), (0, 0), (2, 0), (1, 3))), x, i(0, 0, 2, 1, 1, 0, 0, 3))
case('Pad', np.pad(x, ((0, 0), (1, 1), (0, 0), (0, 0)), constant_values=2), x, i(0, 1, 0, 0, 0, 1, 0, 0), np.float64(2))
case('Pad', np.pad(y, ((0, 0), (0, 0), (1, 1), (0, 0))), y, opset=10, pads=[0, 0, 1, 0, 0, 0, 1, 0])

# Normalisations.
def instance(a, scale, bias, eps):
    a = a.reshape(*a.shape[:2], -1)
    n = (a - a.mean(2, keepdims=True)) / np.sqrt(a.var(2, keepdims=True) + eps)
    return n * scale[:, None] + bias[:, None]


s, b = f(3), f(3)
case('InstanceNormalization', instance(x + 5, s, b, 1e-5).reshape(x.shape), x + 5, s, b)
case('InstanceNormalization', instance(x, s, b, 1e-2).reshape(x.shape), x, s, b, epsilon=float(np.float32(1e-2)))
case('InstanceNormalization', instance(x, s, b, 1e-5).reshape(2, 3, 8), x.reshape(2, 3, 8), s, b)

y = f(2, 7, 3, 2)
z = f(3, 6)
z[1] = 0
norm = np.sqrt((z * z).sum(1, keepdims=True))
case('LpNormalization', z / np.where(norm == 0, 1, norm), z, axis=-1, p=2)
case('LpNormalization', y / np.abs(y).sum(1, keepdims=True), y, axis=1, p=1)


def average(a, kernel, strides):
    windows = np.lib.stride_tricks.sliding_window_view(a, kernel, axis=tuple(range(2, a.ndim)))
    windows = windows[(slice(None), slice(None)) + tuple(slice(None, None, s) for s in strides)]
    return windows.mean(tuple(range(-len(kernel), 0)))


y = f(2, 1, 9, 3, 4)
case('AveragePool', average(y, (4, 1, 1), (1, 1, 1)), y, kernel_shape=[4, 1, 1], strides=[1, 1, 1], pads=[0] * 6)
case('AveragePool', average(y, (3, 2, 2), (2, 1, 2)), y, kernel_shape=[3, 2, 2], strides=[2, 1, 2])
y = f(2, 3, 8)
case('AveragePool', average(y, (3,), (2,)), y, kernel_shape=[3], strides=[2])

print('[')
print(',\n'.join(json.dumps(c) for c in cases))
print(']')
