"""Evaluates relative pose as SuperGlue does (magicleap/SuperGluePretrainedNetwork, commit ddcf11f4,
match_pairs.py and models/utils.py), written anew. It is the reference of the program's figures and
reads none of its records, only images, matches and cameras.

    python3 superglue.py PAIRS IMAGES [--matches FOLDER] [options]

PAIRS has 38 fields per line: two names below IMAGES, how many turns of np.rot90 make each image
upright, K0 and K1 (9 numbers each) of the stored images, and T_0to1 (16 numbers), by row. The
matches of line i, counted from 0, are in FOLDER/i.npz: keypoints0 and keypoints1 (N x 2, px of the
resized and turned image, centre of the first pixel at (0, 0)) and matches (M x 2 rows, or for every
keypoint0 its row in keypoints1 or -1). Without --matches: mutual nearest neighbours of SIFT.

Departures: an E of None counts as an infinite error, where SuperGlue stops; K of an image turned by
a quarter is scaled by its own two scales, where SuperGlue exchanges them. Imports NumPy and
OpenCV only. The program links OpenCV 4.6: a later OpenCV may find other keypoints and another E.
"""

import argparse
import os

import cv2
import numpy as np


def resized_size(w, h, resize):
    """One number: the longer side; two: both; -1: as it is."""
    if len(resize) == 2:
        return tuple(resize)
    if resize[0] == -1:
        return w, h
    scale = resize[0] / max(h, w)
    return int(round(w * scale)), int(round(h * scale))


def read(path, resize, turns, K, T):
    """The image, resized and turned upright, and its K and pose T."""
    image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise SystemExit("superglue.py: cannot read %s" % path)
    h, w = image.shape
    size = resized_size(w, h, resize)
    K = np.diag([size[0] / w, size[1] / h, 1]) @ K  # without half a pixel
    image = np.rot90(cv2.resize(image, size), turns)
    h, w = image.shape  # after the turn
    fx, fy, cx, cy = K[0, 0], K[1, 1], K[0, 2], K[1, 2]
    if turns == 1:
        K = np.array([[fy, 0, cy], [0, fx, h - 1 - cx], [0, 0, 1]])
    elif turns == 2:
        K = np.array([[fx, 0, w - 1 - cx], [0, fy, h - 1 - cy], [0, 0, 1]])
    elif turns == 3:
        K = np.array([[fy, 0, w - 1 - cy], [0, fx, cx], [0, 0, 1]])
    c, s = [(1, 0), (0, -1), (-1, 0), (0, 1)][turns]
    return image, K, np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]) @ T


def normalised(points, K):
    return (np.float64(points) - K[:2, 2]) / K[[0, 1], [0, 1]]


def estimate(p0, p1, K0, K1, options):
    """R and t of points in px, None without an estimate."""
    if len(p0) < 5:
        return None
    focal = [K0[0, 0], K1[1, 1]] if options.focal == "superglue" else [K0[0, 0], K0[1, 1], K1[0, 0], K1[1, 1]]
    p0, p1 = normalised(p0, K0), normalised(p1, K1)
    E, mask = cv2.findEssentialMat(p0, p1, np.eye(3), method=cv2.RANSAC, prob=options.confidence,
                                   threshold=options.threshold / np.mean(focal), maxIters=options.iterations)
    best, pose = 0, None
    for e in [] if E is None else np.split(E, len(E) // 3):
        # recoverPose writes into mask: what it leaves is what the next E is tried with.
        n, R, t, _ = cv2.recoverPose(e, p0, p1, np.eye(3), 1e9, mask=mask)
        if n > best:
            best, pose = n, (R, t[:, 0])
    return pose


def pose_errors(T, pose):
    """Angles in degrees of the rotation and of the translation, whose sign is folded."""
    if pose is None:
        return np.inf, np.inf
    (R, t), truth = pose, T[:3, 3]
    rotation = np.arccos(np.clip((np.trace(R.T @ T[:3, :3]) - 1) / 2, -1, 1))
    translation = np.arccos(np.clip(t @ truth / (np.linalg.norm(t) * np.linalg.norm(truth)), -1, 1))
    return np.degrees(rotation), min(np.degrees(translation), 180 - np.degrees(translation))


def epipolar_errors(p0, p1, T, K0, K1):
    """SuperGlue's (squared, both sides summed) and glue-factory's (not squared, their mean, commit
    2d17e3b3, gluefactory/geometry/epipolar.py; there in float32) in normalised coordinates."""
    x, y, z = T[:3, 3]
    E = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) @ T[:3, :3]
    p0, p1 = (np.c_[normalised(p, K), np.ones(len(p))] for p, K in ((p0, K0), (p1, K1)))
    l1, l0 = p0 @ E.T, p1 @ E
    s, n0, n1 = (p1 * l1).sum(1), (l0[:, :2] ** 2).sum(1), (l1[:, :2] ** 2).sum(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        squared = s ** 2 * (1 / n1 + 1 / n0)
    n0, n1 = np.maximum(n0, 1e-6), np.maximum(n1, 1e-6)
    return squared, abs(s) * (n1 ** -0.5 + n0 ** -0.5) / 2


def auc(errors, limit):
    """The area under the recall over the error, up to the limit, by trapezoids."""
    errors = np.sort(errors)
    e, recall = np.r_[0, errors], np.arange(len(errors) + 1) / len(errors)
    last = np.searchsorted(e, limit)
    e, recall = np.r_[e[:last], limit], np.r_[recall[:last], recall[last - 1]]
    return ((e[1:] - e[:-1]) * (recall[1:] + recall[:-1]) / 2).sum() / limit


def maa(errors):
    """mAA(10 degrees) of the image matching benchmark: ubc-vision/image-matching-benchmark,
    commit e3c1cbd6, utils/pack_helper.py, compute_qt_auc."""
    counts, _ = np.histogram(np.minimum(errors, 1e6), np.arange(11))
    return np.mean(np.cumsum(counts / len(errors)))


def sift(image0, image1, count):
    """Keypoints, and mutual nearest neighbours in the order of keypoints0."""
    (k0, d0), (k1, d1) = (cv2.SIFT_create(count).detectAndCompute(np.ascontiguousarray(image), None) for image in (image0, image1))
    points = [np.array([k.pt for k in k]).reshape(-1, 2) for k in (k0, k1)]
    if not len(k0) or not len(k1):
        return (*points, np.zeros((0, 2), int))
    distances = (d0 ** 2).sum(1)[:, None] + (d1 ** 2).sum(1) - 2 * d0 @ d1.T  # whole numbers below 2^24: exact
    there, back = distances.argmin(1), distances.argmin(0)
    rows = np.flatnonzero(back[there] == np.arange(len(there)))
    return (*points, np.stack([rows, there[rows]], 1))


def stored(path):
    file = np.load(path)
    matches = file["matches"]
    if matches.ndim == 1:
        rows = np.flatnonzero(matches >= 0)
        matches = np.stack([rows, matches[rows]], 1)
    return file["keypoints0"], file["keypoints1"], matches


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs")
    parser.add_argument("images")
    parser.add_argument("--matches", help="a folder of .npz files; without it, SIFT")
    parser.add_argument("--keypoints", type=int, default=2048, help="of SIFT")
    parser.add_argument("--resize", type=int, nargs="+", default=[-1], help="-1, the longer side, or width and height")
    parser.add_argument("--threshold", type=float, default=1, help="px of the resized image")
    parser.add_argument("--focal", choices=["superglue", "mean"], default="superglue", help="the mean of K0's fx and K1's fy, or of all four")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--confidence", type=float, default=0.99999)
    parser.add_argument("--order", type=int, help="seed by which matches are shuffled")
    parser.add_argument("--each", help="a CSV file for the figures of each pair")
    options = parser.parse_args()
    rows = []
    with open(options.pairs) as file:
        pairs = [line.split() for line in file if line.strip()]
    for i, pair in enumerate(pairs):
        K0, K1, T = (np.float64(pair[a:b]).reshape(n, n) for a, b, n in ((4, 13, 3), (13, 22, 3), (22, 38, 4)))
        (image0, K0, T0), (image1, K1, T) = (read(os.path.join(options.images, pair[j]), options.resize, int(pair[2 + j]), K, pose)
                                             for j, K, pose in ((0, K0, np.eye(4)), (1, K1, T)))
        T = T @ np.linalg.inv(T0)
        points0, points1, matches = stored(os.path.join(options.matches, "%d.npz" % i)) if options.matches else sift(image0, image1, options.keypoints)
        if options.order is not None:
            matches = matches[np.random.RandomState(options.order).permutation(len(matches))]
        p0, p1 = points0[matches[:, 0]], points1[matches[:, 1]]
        squared, mean = epipolar_errors(p0, p1, T, K0, K1)
        rotation, translation = pose_errors(T, estimate(p0, p1, K0, K1, options))
        rows.append((len(points0), len(matches), (squared < 5e-4).sum(), (mean < 5e-4).sum(), rotation, translation))
    if options.each:
        with open(options.each, "w") as file:
            file.write("image0,image1,keypoints0,matches,correct,correct_gluefactory,rotation_error,translation_error\n")
            file.writelines("%s,%s,%d,%d,%d,%d,%.17g,%.17g\n" % (*pair[:2], *row) for pair, row in zip(pairs, rows))
    keypoints, matches, correct, correct_mean, rotation, translation = np.array(rows).T
    errors = np.maximum(rotation, translation)
    print("pairs %d" % len(rows))
    print("pairs_below_5_matches %d" % (matches < 5).sum())
    print("pairs_without_pose %d" % np.isinf(errors).sum())
    for limit in (5, 10, 20):
        print("pose_auc@%d %.6f" % (limit, 100 * auc(errors, limit)))
    for limit in (5, 10, 20):
        print("pose_accuracy@%d %.6f" % (limit, 100 * np.mean(errors <= limit)))
    print("pose_maa@10 %.6f" % (100 * maa(errors)))
    print("median_rotation_error %.6f" % np.median(rotation))
    print("median_translation_error %.6f" % np.median(translation))
    print("epipolar_precision@5e-4 %.6f" % (100 * np.mean(correct / np.maximum(matches, 1))))
    print("epipolar_precision_gluefactory@5e-4 %.6f" % (100 * np.mean(correct_mean / np.maximum(matches, 1))))
    print("matching_score %.6f" % (100 * np.mean(correct / np.maximum(keypoints, 1))))


if __name__ == "__main__":
    main()
