"""Writes the keypoints and matches of configs/modern_matchers.yaml, in the formats
that learned matchers leave, made by methods of OpenCV that need no weights:

keypoints/SCENE/IMAGE.npz  SIFT keypoints, the 500 strongest of each image
flann/SCENE/1_K.npz        matches of these keypoints by FLANN and Lowe's ratio test,
                           as matches0 and matching_scores0 (hloc, glue-factory)
flow/SCENE/1_K.npz         dense inverse search optical flow, a method without
                           keypoints (as LoFTR): positions on a grid that the flow
                           back to image 1 confirms

Run in this folder: python3 make.py [OUTPUT]    (needs OpenCV and NumPy)
"""

import os
import sys

import cv2
import numpy as np

OUT = sys.argv[1] if len(sys.argv) > 1 else "."
SCENES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../scenes")


def path(kind, scene, name):
    os.makedirs(f"{OUT}/{kind}/{scene}", exist_ok=True)
    return f"{OUT}/{kind}/{scene}/{name}"


def grey(scene, k):
    return cv2.cvtColor(cv2.imread(f"{SCENES}/{scene}/{k}.png"), cv2.COLOR_BGR2GRAY)


def sift(scene, k):
    points, rows = cv2.SIFT_create(500).detectAndCompute(grey(scene, k), None)
    np.savez_compressed(
        path("keypoints", scene, f"{k}.npz"),
        keypoints=np.float32([(*p.pt, p.size, p.angle) for p in points]), scores=np.float32([p.response for p in points]))
    return rows


def flann(scene, k, rows1, rowsk):
    matches, scores = np.full(len(rows1), -1, np.int32), np.zeros(len(rows1), np.float32)
    cv2.setRNGSeed(1)
    for m, n in cv2.FlannBasedMatcher({"algorithm": 1, "trees": 4}, {"checks": 64}).knnMatch(rows1, rowsk, k=2):
        if m.distance < 0.8 * n.distance:
            matches[m.queryIdx], scores[m.queryIdx] = m.trainIdx, 1 - m.distance / n.distance
    np.savez_compressed(path("flann", scene, f"1_{k}.npz"), matches0=matches, matching_scores0=scores)


def flow(scene, k):
    a, b = grey(scene, 1), grey(scene, k)
    h, w = max(a.shape[0], b.shape[0]), max(a.shape[1], b.shape[1])
    a0, b0 = (cv2.copyMakeBorder(i, 0, h - i.shape[0], 0, w - i.shape[1], cv2.BORDER_REPLICATE) for i in (a, b))
    dis = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    there, back = dis.calc(a0, b0, None), dis.calc(b0, a0, None)
    found = []
    for y in range(12, a.shape[0] - 12, 16):
        for x in range(12, a.shape[1] - 12, 16):
            u, v = x + there[y, x, 0], y + there[y, x, 1]
            if not (0 <= u <= b.shape[1] - 1 and 0 <= v <= b.shape[0] - 1):
                continue
            at = back[round(v), round(u)]
            off = float(np.hypot(u + at[0] - x, v + at[1] - y))
            if off < 2:
                found.append((x, y, round(float(u), 2), round(float(v), 2), round(1 - off / 2, 3)))
    table = np.array(found)
    np.savez_compressed(path("flow", scene, f"1_{k}.npz"), keypoints0=np.float32(table[:, :2]),
                        keypoints1=np.float32(table[:, 2:4]), scores=table[:, 4])


for scene in ["i_synth_002", "v_synth_001"]:
    rows = {k: sift(scene, k) for k in range(1, 7)}
    for k in range(2, 7):
        flann(scene, k, rows[1], rows[k])
        flow(scene, k)
