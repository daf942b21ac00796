# Writes partners.json, the partners of random keypoints under a homography for partners_test.go, by the whole
# matrix of distances, after the description of cvg/glue-factory's ground truth. Run it in this folder:
# python3 partners.py
import json

import numpy as np

rng = np.random.default_rng(5)
H = np.array([[0.9, -0.2, 20], [0.15, 1.1, -10], [2e-4, -1e-4, 1]])


def mapped(M, p):
    q = np.c_[p, np.ones(len(p))] @ M.T
    return q[:, :2] / q[:, 2:]


a = rng.uniform(0, 100, (60, 2)).astype(np.float32)
b = np.r_[mapped(H, a[:40]) + rng.normal(0, 2.5, (40, 2)), rng.uniform(0, 100, (20, 2))].astype(np.float32)
a64, b64 = a.astype(float), b.astype(float)
in_k = np.linalg.norm(mapped(H, a64)[:, None] - b64[None], axis=2)
in_1 = np.linalg.norm(a64[:, None] - mapped(np.linalg.inv(H), b64)[None], axis=2)
both = np.maximum(in_k, in_1)
partners = []
for i in range(len(a)):
    j = both[i].argmin()
    if both[:, j].argmin() == i and both[i, j] < 3:
        partners.append(int(j))
    else:
        partners.append(-1 if in_k[i].min() > 5 else -2)
with open("partners.json", "w") as f:
    print(json.dumps({"a": a64.tolist(), "b": b64.tolist(), "partners": partners}), file=f)
