"""Writes the features of this folder, features/<scene>/<image>.npz: what the
golden values start from. The figures of expected.json are those of these files,
whatever OpenCV made them; there is no need to make them again.

Three scenes of testdata/scenes have SIFT as OpenCV 4.6 computes it, the
strongest keypoints of every image. The fourth holds what seldom occurs: equal
distances, rows that describe nothing, images with no or hardly any keypoints,
keypoints at one place.

Run in this folder: python3 make.py    (needs OpenCV and NumPy)
"""

import os

import cv2
import numpy as np

SCENES = "../../../testdata/scenes"


def save(scene, image, keypoints, scores, octave, rows, **more):
    os.makedirs(f"features/{scene}", exist_ok=True)
    np.savez_compressed(
        f"features/{scene}/{image}.npz", keypoints=np.asarray(keypoints, np.float32).reshape(-1, 4),
        scores=np.asarray(scores, np.float32), octave=np.asarray(octave, np.int32), descriptors=rows, **more)


def sift(scene, image, n):
    picture = cv2.imread(f"{SCENES}/{scene}/{image}.png", cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    found, rows = cv2.SIFT_create().detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    strongest = sorted(range(len(found)), key=lambda i: -found[i].response)[:n]
    strongest.sort()  # as detected, so that a selection by response has work to do
    points = [found[i] for i in strongest]
    return ([(*p.pt, p.size, p.angle) for p in points], [p.response for p in points],
            [p.octave for p in points], rows[strongest].astype(np.uint8))


# Sizes differ, so that a mean over queries is not one over scenes or pairs.
SIZES = {
    "i_synth_002": [110, 100, 90, 110, 80, 105],
    "v_synth_001": [150, 140, 150, 120, 150, 130],
    "v_synth_002": [120, 150, 130, 150, 140, 110],
}
for scene, sizes in SIZES.items():
    for image, n in enumerate(sizes, 1):
        points, scores, octave, rows = sift(scene, image, n)
        if scene == "v_synth_002" and image in (1, 4):
            rows[7::31] = 0  # queries and candidates without a descriptor
        if scene == "v_synth_002" and image in (3, 5):
            rows[1::2] = rows[::2]  # candidates in pairs of equal descriptors
        if scene == "v_synth_001" and image == 6:
            rows[:] = rows[0]  # nothing to tell candidates apart by
        save(scene, image, points, scores, octave, rows)

# The scene of odd cases. Its homographies are the identity, so that pixel errors
# are exact: errors of exactly the tolerance, and equally near candidates.
rng = np.random.default_rng(20240229)
SCENE, N, D = "i_synth_001", 48, 16


def odd(image, xy, rows, **more):
    n = len(xy)
    rows = np.pad(rows, ((0, 0), (0, 128 - D)))  # as long as those of the other scenes
    keypoints = np.zeros((n, 4))
    keypoints[:, :2], keypoints[:, 2], keypoints[:, 3] = xy, 2 + np.arange(n) % 7, 15 * (np.arange(n) % 24)
    # Responses tie in threes.
    save(SCENE, image, keypoints, 1 + np.arange(n) % 16, np.full(n, 255 | 1 << 8), np.asarray(rows, np.float32), **more)


grid = np.array([(40 + 70 * (i % 8), 30 + 75 * (i // 8)) for i in range(N)], float)
first = rng.integers(0, 4, (N, D)).astype(float)  # few values: distances tie by chance
first[5], first[6, 3], first[7, 0] = 0, np.nan, np.inf
# Behind them points on the edge of the shared region, 0 to 639 by 0 to 479: two
# that are outside in image 1 and inside in image 2, one the other way round.
edge = rng.integers(0, 4, (3, D)).astype(float)
odd(1, np.concatenate([grid, [(639.375, 200), (300, -0.375), (638.75, 300)]]), np.concatenate([first, edge]),
    valid=np.arange(N + 3) != 20)

# Image 2: every point again, 0 to 4 px off (3 px is the tolerance); behind them
# a second one at the same place with another descriptor, a third less than
# 0.01 px away, one as near as the truth on the other side.
second = rng.integers(0, 4, (N, D)).astype(float)
second[::2] = first[::2]
off = grid + np.stack([np.arange(N) % 5, np.zeros(N)], 1)
more = np.concatenate([off[8:24], off[16:24] + [0.0078125, 0], grid[24:32] - [1, 0], grid[24:32] + [1, 0]])
rows = np.concatenate([second, first[8:24], first[16:24], first[24:32], second[24:32], edge])
rows[10], rows[11, 0], rows[50] = 0, np.nan, 0
odd(2, np.concatenate([off, more, [(639, 200), (300, 0), (639.25, 300)]]), rows)
# Image 3 has no keypoint, image 4 one, image 6 two of which one says nothing:
# the other is the truth of a query that says nothing.
odd(3, grid[:0], first[:0])
odd(4, grid[9:10] + 2, first[9:10])
# Image 5: one descriptor for all.
odd(5, grid, np.ones((N, D)))
odd(6, grid[[20, 13]], np.stack([first[20], np.zeros(D)]))
