"""Truth through depth, computed from the files of a data set by NumPy: states, ground truths, matches and
metrics of pairs of RGB-D images. It reads nothing that the program has computed.

    python3 depth.py real SHARED SCENES          writes the Kinect pair and the living room of
                                                 shared/data/space as scenes with views.txt and depth/
    python3 depth.py judge SCENES FEATURES [N]   writes SIFT of N keypoints an image, FEATURES/SCENE/IMAGE.npz, and
                                                 prints a JSON object: counts by pair, metrics of all
"""

import json
import os
import shutil
import sys

import cv2
import numpy as np

TOLERANCE = 0.05
NEAR_PX, NEAR_Z = 1e-3, 1e-4  # nearer to a limit, programs may differ


def real(shared, scenes):
    def scene(name, size, K, images, depths, poses):
        folder = os.path.join(scenes, name)
        os.makedirs(os.path.join(folder, "depth"))
        with open(os.path.join(folder, "views.txt"), "w") as views:
            for i, (image, depth, pose) in enumerate(zip(images, depths, poses), 1):
                file = "%d%s" % (i, os.path.splitext(image)[1])
                shutil.copy(os.path.join(shared, image), os.path.join(folder, file))
                shutil.copy(os.path.join(shared, depth), os.path.join(folder, "depth", "%d.png" % i))
                R = pose[:3, :3].T  # poses are from the camera to the world
                numbers = " ".join(repr(float(v)) for v in np.concatenate([R.ravel(), -R @ pose[:3, 3]]))
                views.write("%s %s PINHOLE %d %d %s\n" % (file, numbers, *size, " ".join(map(repr, K))))

    k = [float(v) for v in open(os.path.join(shared, "kinect2/intrinsic.txt")).read().split()]
    scene("kinect", (k[0], k[1]), [k[2], k[6], k[4], k[7]], ["kinect2/%d.png" % i for i in (1, 2)], ["kinect2/depth_%d.png" % i for i in (1, 2)],
          [np.loadtxt(os.path.join(shared, "kinect2/pose_%d.txt" % i)) for i in (1, 2)])
    lines = open(os.path.join(shared, "redwood/trajectory.log")).read().splitlines()
    poses = [np.array([line.split() for line in lines[5 * i + 1:5 * i + 5]], np.float64) for i in range(5)]
    scene("living", (640, 480), [525.0, 525.0, 319.5, 239.5], ["redwood/%05d.jpg" % i for i in range(5)], ["redwood/depth_%05d.png" % i for i in range(5)], poses)


class View:
    def __init__(self, folder, fields, features, n):
        self.K, self.R, self.t = np.float64(fields[-4:]), np.float64(fields[1:10]).reshape(3, 3), np.float64(fields[10:13])
        self.size, stem = np.float64(fields[14:16]), os.path.splitext(fields[0])[0]
        npy = os.path.join(folder, "depth", stem + ".npy")
        if os.path.exists(npy):
            self.z = np.float64(np.load(npy))
        else:
            self.z = np.float64(np.float32(cv2.imread(npy[:-4] + ".png", cv2.IMREAD_UNCHANGED) * 0.001))
        found, rows = cv2.SIFT_create(n).detectAndCompute(cv2.imread(os.path.join(folder, fields[0]), cv2.IMREAD_GRAYSCALE), None)
        points = np.float32([(*p.pt, p.size, p.angle) for p in found])
        self.points, self.rows = np.float64(points[:, :2]), np.float64(rows)
        os.makedirs(features, exist_ok=True)
        np.savez(os.path.join(features, stem + ".npz"), keypoints=points, descriptors=np.uint8(rows))

    def nearest(self, p):
        """z of the nearest pixel, 0 if it is missing."""
        i = np.floor(p + 0.5).astype(np.int64)
        inside = (i >= 0).all(1) & (i[:, 0] < self.z.shape[1]) & (i[:, 1] < self.z.shape[0])
        i[~inside] = 0
        return np.where(inside, self.z[i[:, 1], i[:, 0]], 0)

    def between(self, p):
        """z by bilinear interpolation of 1/z where the corners agree, else that of the nearest pixel."""
        h, w = self.z.shape
        at = np.floor(p).astype(np.int64)
        u, v = (p - at).T
        weights = np.stack([(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v])
        x, y = at[:, 0] + np.array([[0], [1], [0], [1]]), at[:, 1] + np.array([[0], [0], [1], [1]])
        outside = (x < 0) | (x >= w) | (y < 0) | (y >= h)
        z = np.where(outside, 0, self.z[np.clip(y, 0, h - 1), np.clip(x, 0, w - 1)])
        used = weights > 0
        least, most = np.where(used, z, np.inf).min(0), np.where(used, z, 0).max(0)
        good = (least > 0) & (most <= (1 + TOLERANCE) * least)
        with np.errstate(divide="ignore", invalid="ignore"):
            smooth = 1 / np.where(used, weights / z, 0).sum(0)
        return np.where(good, smooth, self.nearest(p))


def places(a, b):
    """Where b shows the points of a (NaN unless visible), their states, and whether a limit is near."""
    p, z = a.points, a.between(a.points)
    rays = np.column_stack([(p - a.K[2:]) / a.K[:2], np.ones(len(p))])
    R = b.R @ a.R.T
    at = (rays * z[:, None]) @ R.T + (b.t - R @ a.t)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = at[:, :2] / at[:, 2:] * b.K[:2] + b.K[2:]
    inside = (at[:, 2] > 0) & (q >= 0).all(1) & (q <= b.size - 1).all(1)
    there = b.nearest(np.where(inside[:, None], q, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(at[:, 2] - there) / there
    state = np.select([z == 0, ~inside, there == 0, off > TOLERANCE], ["unknown", "outside", "unknown", "occluded"], "visible")
    rounding = np.abs((q + 0.5) - np.round(q + 0.5)).min(1) < NEAR_PX  # another pixel may be the nearest
    border = np.minimum(np.abs(q), np.abs(q - (b.size - 1))).min(1) < NEAR_PX
    near = (z > 0) & (rounding | border | (inside & (np.abs(off - TOLERANCE) < NEAR_Z)))
    return np.where((state == "visible")[:, None], q, np.nan), state, near


def distances(q, points):
    d = np.hypot(*(q[:, None] - points[None]).transpose(2, 0, 1))
    return np.where(np.isnan(d), np.inf, d)


def share(a, b):
    return a / b if b else np.nan


def judge_pair(a, b):
    """Counts of a pair; by query, ap and truth error; and what the metrics are means of."""
    q, state, near1 = places(a, b)
    back, state_k, near_k = places(b, a)
    d, d_back = distances(q, b.points), distances(back, a.points).T
    known, known_k = state != "unknown", state_k != "unknown"
    visible, visible_k = state == "visible", state_k == "visible"
    rows = np.square(a.rows).sum(1)[:, None] + np.square(b.rows).sum(1) - 2 * a.rows @ b.rows.T  # whole numbers
    match, match_k = rows.argmin(1), rows.argmin(0)
    mutual = match_k[match] == np.arange(len(match))
    i = np.arange(len(match))
    error, error1 = d[i, match], d_back[i, match]
    truth, truth_error = d.argmin(1), d.min(1)
    own = rows[i, truth]
    less, equal = (rows < own[:, None]).sum(1), (rows == own[:, None]).sum(1) - 1
    ap = 1 / (1 + less + equal / 2)
    processed = known & (truth_error <= 3)
    m = np.flatnonzero(mutual & known)  # matches that can be judged
    both = m[known_k[match[m]]]
    symmetric = (error[both] + error1[both]) / 2
    # partners of cvg/glue-factory
    largest = np.maximum(d, d_back)
    partner = np.where(known, -1, -2)
    partner[(d <= 5).any(1)] = -2
    j, j_k = largest.argmin(1), largest.argmin(0)
    found = (largest[i, j] < 3) & (j_k[j] == i)
    partner[found] = j[found]
    judged = m[partner[m] != -2]
    right = (partner[m] == match[m]).sum()
    seen, seen_k = np.where(visible_k, d, np.inf), np.where(visible[:, None], d_back, np.inf)
    repeated, repeated_k = (seen.min(1) <= 3).sum(), (seen_k.min(0) <= 3).sum()
    correct = m[error[m] <= 3]
    scores = [share((visible[correct]).sum(), visible.sum()), share(visible_k[match[correct]].sum(), visible_k.sum())]
    two = np.sort(rows, 1)[:, :2]
    accepted = known & (np.sqrt(two[:, 0]) <= 0.8 * np.sqrt(two[:, 1]))
    limits = np.concatenate([np.abs(error[:, None] - [1, 2, 3, 5]), np.abs(truth_error - 3)[:, None]], 1).min(1) < NEAR_PX
    total = {
        "queries": known.sum(), "processed": processed.sum(), "ap": ap[processed].sum(), "all": len(known),
        "precision": share((error[known] <= 3).sum(), known.sum()),
        "ratio": [(accepted & (error <= 3)).sum(), accepted.sum(), (known & ((error <= 3) | (truth_error <= 3))).sum()],
    }
    values = {"mma@%d" % k: share((error[m] <= k).sum(), len(m)) for k in (1, 2, 3, 5)}
    values.update({"reproj_precision@%d" % k: share((symmetric < k).sum(), len(both)) for k in (1, 3, 5)})
    values["repeatability@3"] = share(repeated + repeated_k, visible.sum() + visible_k.sum())
    values["matching_score"] = np.nanmean(scores)
    values["match_recall@3"] = share(len(correct), (truth_error <= 3).sum())
    values["gt_match_recall@3"], values["gt_match_precision@3"] = right / max(1, (partner >= 0).sum()), right / max(1, len(judged))
    counts = {s: int((state == s).sum()) for s in ("visible", "outside", "occluded", "unknown")}
    counts.update(visible_k=int(visible_k.sum()), unknown_k=int((~known_k).sum()), truths=int(processed.sum()), matches=int(mutual.sum()),
                  judged=len(m), correct=len(correct), partners=int((partner >= 0).sum()), repeated=int(repeated), repeated_k=int(repeated_k))
    return counts, int((near1 | limits).sum() + near_k.sum()), total, values, ((error <= 3)[known], np.sqrt(rows[i, match])[known])


def main_judge(root, features, n=600):
    pairs, near, totals, values, samples = {}, 0, {}, {}, []
    for scene in sorted(os.listdir(root)):
        folder = os.path.join(root, scene)
        if not os.path.exists(os.path.join(folder, "views.txt")):
            continue
        lines = [line.split() for line in open(os.path.join(folder, "views.txt"))]
        list_of = os.path.join(folder, "pairs.txt")
        if os.path.exists(list_of):
            fields = {line[0]: line for line in lines}
            jobs = []
            for line in open(list_of):
                a, b = line.split()[:2]
                jobs.append(("%s/%s-%s" % (scene, os.path.splitext(a)[0], os.path.splitext(b)[0]), [fields[a], fields[b]]))
        else:
            jobs = [(scene, lines)]
        for name, lines in jobs:
            views = [View(folder, line, os.path.join(features, name), int(n)) for line in lines]
            for k in range(1, len(views)):
                counts, at_limits, total, value, sample = judge_pair(views[0], views[k])
                pairs["%s %d" % (name, k + 1)], near = counts, near + at_limits
                totals.setdefault(name, []).append(total)
                samples.append(sample)
                for metric, v in value.items():
                    values.setdefault(metric, []).append(v)
    every = [t for of in totals.values() for t in of]

    def of(ts, name):
        return sum(t[name] for t in ts)

    metrics = {metric: float(np.nanmean(v)) for metric, v in values.items()}
    metrics["true_map_micro"] = of(every, "ap") / of(every, "processed")
    metrics["true_map_macro_by_scene"] = float(np.mean([of(t, "ap") / of(t, "processed") for t in totals.values() if of(t, "processed")]))
    metrics["coverage"], metrics["known"] = of(every, "processed") / of(every, "queries"), of(every, "queries") / of(every, "all")
    metrics["mean_precision"] = float(np.nanmean([t["precision"] for t in every]))
    ratio = np.sum([t["ratio"] for t in every], 0)
    metrics["ratio_precision@0.80"], metrics["ratio_recall@0.80"] = ratio[0] / ratio[1], ratio[0] / ratio[2]
    right, distance = (np.concatenate(x) for x in zip(*samples))
    order, inverse, times = np.unique(distance, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(times) - (times - 1) / 2)[inverse]
    n1 = right.sum()
    metrics["roc_auc"] = float(1 - (ranks[right].sum() - n1 * (n1 + 1) / 2) / (n1 * (len(right) - n1)))
    print(json.dumps({"pairs": pairs, "near": near, "metrics": {name: float(v) for name, v in metrics.items()}}))


if __name__ == "__main__":
    {"real": real, "judge": main_judge}[sys.argv[1]](*sys.argv[2:])
