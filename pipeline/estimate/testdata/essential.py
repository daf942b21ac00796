"""Prints the errors of poses that essential_test.go expects: rotation and translation in degrees.

The estimate is that of magicleap/SuperGluePretrainedNetwork (models/utils.py, estimate_pose), with
OpenCV's other methods in the place of RANSAC. It was run with Debian's cv2 4.6.0 and numpy 1.24.2.
"""
import cv2
import numpy as np

K0, K1 = np.diag([700., 760, 1]), np.diag([900., 820, 1])
K0[:2, 2], K1[:2, 2] = (320, 240), (400, 300)
A, B = .3, -.1
R = np.array([[np.cos(A), 0, np.sin(A)], [0, 1, 0], [-np.sin(A), 0, np.cos(A)]]) @ \
    np.array([[np.cos(B), -np.sin(B), 0], [np.sin(B), np.cos(B), 0], [0, 0, 1]])
T = np.array([-1.5, .25, .5])


def drawn(seed, n, good, noise):
    """n matches, the first ones right but for noise in px."""
    def number():
        nonlocal seed
        seed = (1103515245 * seed + 12345) % 2**31
        return (seed >> 8) % 1000 / 1000
    points = []
    for i in range(n):
        x = np.array([4 * number() - 2, 4 * number() - 2, 4 + 4 * number()])
        y = R @ x + T
        p, q = K0 @ x / x[2], K1 @ y / y[2]
        shift = [number() - .5 for _ in range(4)]
        if i < good:
            p, q = p[:2] + noise * np.array(shift[:2]), q[:2] + noise * np.array(shift[2:])
        else:
            p, q = p[:2], np.array([800 * (shift[0] + .5), 600 * (shift[1] + .5)])
        points.append([p, q])
    points = np.array(points).astype(np.float32)
    return points[:, 0], points[:, 1]


def estimate(kpts0, kpts1, px=1., focal="mean", method="RANSAC", iterations=1000, confidence=.99999):
    f = [K0[0, 0], K1[1, 1], K0[0, 0], K1[1, 1]] if focal == "superglue" else [K0[0, 0], K0[1, 1], K1[0, 0], K1[1, 1]]
    kpts0 = (kpts0 - K0[[0, 1], [2, 2]][None]) / K0[[0, 1], [0, 1]][None]
    kpts1 = (kpts1 - K1[[0, 1], [2, 2]][None]) / K1[[0, 1], [0, 1]][None]
    E, mask = cv2.findEssentialMat(kpts0, kpts1, np.eye(3), threshold=px / np.mean(f), prob=confidence,
                                   method=getattr(cv2, method), maxIters=iterations)
    best, pose = 0, None
    for e in np.split(E, len(E) // 3):
        n, r, t, _ = cv2.recoverPose(e, kpts0, kpts1, np.eye(3), 1e9, mask=mask)
        if n > best:
            best, pose = n, (r, t[:, 0])
    return pose, len(E) // 3


def errors(pose):
    if pose is None:
        return "none"
    r, t = pose
    cosine = np.clip((np.trace(r.T @ R) - 1) / 2, -1, 1)
    angle = np.degrees(np.arccos(np.clip(t @ T / np.linalg.norm(t) / np.linalg.norm(T), -1, 1)))
    return "{%.6f, %.6f}" % (np.degrees(np.arccos(cosine)), min(angle, 180 - angle))


cv2.setNumThreads(1)
matches = drawn(10, 150, 80, 4)
for name, options in {
    "essential": {}, "essential_0.5px": {"px": .5}, "essential_superglue": {"focal": "superglue"}, "essential_50it": {"iterations": 50},
    "essential_0.01c": {"confidence": .01}, "essential_magsac": {"method": "USAC_MAGSAC"}, "essential_usac_default": {"method": "USAC_DEFAULT"},
    "essential_usac_fast": {"method": "USAC_FAST"}, "essential_usac_accurate": {"method": "USAC_ACCURATE"},
}.items():
    print(f'"{name}": {errors(estimate(*matches, **options)[0])},')
for seed in range(1, 13):
    pose, matrices = estimate(*drawn(seed, 5, 5, 1.5))
    print(f"{errors(pose)}, // {matrices} matrices")
