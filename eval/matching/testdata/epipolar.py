"""Prints what epipolar_test.go expects: matches with an epipolar error below 1e-4, 5e-4 and 1e-3.

squared follows compute_epipolar_error of magicleap/SuperGluePretrainedNetwork (models/utils.py), mean
sym_epipolar_distance of cvg/glue-factory (gluefactory/geometry/epipolar.py). It was run with numpy 1.24.2.
"""
import numpy as np

K0, K1 = np.array([[700., 0, 320], [0, 760, 240], [0, 0, 1]]), np.array([[900., 0, 400], [0, 820, 300], [0, 0, 1]])
R, T = np.array([[.6, 0, .8], [0, 1, 0], [-.8, 0, .6]]), np.array([-1.5, .25, .5])

seed = 11


def number():
    global seed
    seed = (1103515245 * seed + 12345) % 2**31
    return (seed >> 8) % 1000 / 1000


# Pixels of image 1, and of image K near the point at a random depth.
kpts0, kpts1 = [], []
for i in range(300):
    p = np.array([640 * number(), 480 * number(), 1])
    y = R @ np.linalg.inv(K0) @ p * (4 + 4 * number()) + T
    q = K1 @ y / y[2] + (40 if i % 2 else 2) * np.array([number() - .5, number() - .5, 0])
    kpts0.append(p[:2])
    kpts1.append(q[:2])
kpts0, kpts1 = np.float32(kpts0), np.float32(kpts1)

kpts0 = (kpts0 - K0[[0, 1], [2, 2]][None]) / K0[[0, 1], [0, 1]][None]
kpts1 = (kpts1 - K1[[0, 1], [2, 2]][None]) / K1[[0, 1], [0, 1]][None]
kpts0, kpts1 = np.c_[kpts0, np.ones(len(kpts0))], np.c_[kpts1, np.ones(len(kpts1))]
t0, t1, t2 = T
E = np.array([[0, -t2, t1], [t2, 0, -t0], [-t1, t0, 0]]) @ R
Ep0 = kpts0 @ E.T
p1Ep0 = np.sum(kpts1 * Ep0, -1)
Etp1 = kpts1 @ E
d0, d1 = Ep0[:, 0]**2 + Ep0[:, 1]**2, Etp1[:, 0]**2 + Etp1[:, 1]**2
for name, error in {"squared": p1Ep0**2 * (1 / d0 + 1 / d1),
                    "mean": np.abs(p1Ep0) * (1 / np.sqrt(d0.clip(1e-6)) + 1 / np.sqrt(d1.clip(1e-6))) / 2}.items():
    print(name, [int((error < limit).sum()) for limit in (1e-4, 5e-4, 1e-3)],
          "nearest to a limit:", min(np.abs(error / limit - 1).min() for limit in (1e-4, 5e-4, 1e-3)))
