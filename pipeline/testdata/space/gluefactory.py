"""Evaluates estimators as glue-factory does (cvg/glue-factory, commit 2d17e3b3, eval/utils.py and
robust_estimators), written anew. It reads features, homographies and cameras, none of the program's
records: it matches by itself and calls the packages.

    python3 gluefactory.py PACKAGE THRESHOLD FEATURES (SCENES | PAIRS)

FEATURES/SCENE/IMAGE.npz has keypoints and descriptors. SCENES has folders with images and H_1_2, ...;
PAIRS is a list of 38 fields as superglue.py reads it. It prints the AUC of the corner error in px, of
corners (0, 0) to (w, h), or of the larger angle of a pose.

Departures: float64, no rounding, and an estimate without an inlier is a failure; there, PoseLib's
identity counts.
"""

import pathlib
import sys

import cv2
import numpy as np

from superglue import auc, pose_errors


def matches(path0, path1):
    a, b = np.load(path0), np.load(path1)
    x, y = (np.float64(f["descriptors"]) / np.linalg.norm(np.float64(f["descriptors"]), axis=1, keepdims=True) for f in (a, b))
    similarity = x @ y.T
    there, back = similarity.argmax(1), similarity.argmax(0)
    rows = np.flatnonzero(back[there] == np.arange(len(there)))
    return a["keypoints"][rows, :2], b["keypoints"][there[rows], :2]


def homography(package, threshold, p0, p1):
    if package == "poselib":
        import poselib
        H, info = poselib.estimate_homography(p0, p1, {"max_reproj_error": threshold, "seed": 0}, {})
        return H if any(info["inliers"]) else None
    import pycolmap
    found = pycolmap.estimate_homography_matrix(p0, p1, pycolmap.RANSACOptions(max_error=threshold, random_seed=0))
    return None if found is None else found["H"]


def pose(package, threshold, p0, p1, cameras):
    if package == "poselib":
        import poselib
        found, info = poselib.estimate_relative_pose(p0, p1, *cameras, {"max_epipolar_error": threshold, "seed": 0}, {})
        return (found.R, found.t) if any(info["inliers"]) else None
    import pycolmap
    options = pycolmap.TwoViewGeometryOptions()
    options.compute_relative_pose, options.ransac.max_error, options.ransac.random_seed = True, threshold, 0
    first, other = (pycolmap.Camera(**camera) for camera in cameras)
    rows = np.stack([np.arange(len(p0))] * 2, 1)
    found = pycolmap.estimate_calibrated_two_view_geometry(first, p0, other, p1, rows, options).cam2_from_cam1
    return None if found is None else (found.matrix()[:, :3], found.matrix()[:, 3])


def corners(H, truth, w, h):
    if H is None:
        return np.inf
    at = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]]) @ np.stack([H, truth]).transpose(0, 2, 1)
    return np.mean(np.hypot(*(at[0] / at[0][:, 2:] - at[1] / at[1][:, 2:]).T[:2]))


package, threshold, features, source = sys.argv[1], float(sys.argv[2]), *map(pathlib.Path, sys.argv[3:])
errors, limits = [], (1, 3, 5)
for scene in sorted(source.iterdir()) if source.is_dir() else ():
    for k in range(2, 7) if (scene / "H_1_2").exists() and (features / scene.name).exists() else ():
        p0, p1 = matches(*(features / scene.name / ("%d.npz" % i) for i in (1, k)))
        h, w = cv2.imread(str(next(scene.glob("1.p*")))).shape[:2]
        errors.append(corners(homography(package, threshold, p0, p1) if len(p0) >= 4 else None, np.loadtxt(scene / ("H_1_%d" % k)), w, h))
for line in source.read_text().splitlines() if source.is_file() else ():
    limits, names, numbers = (5, 10, 20), [pathlib.Path(name) for name in line.split()[:2]], np.float64(line.split()[4:])
    scene = features / names[0].parent / ("%s-%s" % (names[0].stem, names[1].stem))
    p0, p1 = matches(*(scene / (name.stem + ".npz") for name in names))
    cameras = [{"model": "PINHOLE", "width": 640, "height": 480, "params": [K[0], K[4], K[2], K[5]]} for K in (numbers[:9], numbers[9:18])]
    errors.append(max(pose_errors(numbers[18:].reshape(4, 4), pose(package, threshold, p0, p1, cameras) if len(p0) >= 5 else None)))
print(" ".join(["%d" % len(errors)] + ["%.9f" % (100 * auc(errors, limit)) for limit in limits]))
