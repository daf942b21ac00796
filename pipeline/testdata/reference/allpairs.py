"""Writes allpairs.json: what `descbench classify --pairs all` must print of the
features in this folder. Every keypoint of image 1 is paired with every keypoint of
image k; a pair is positive if its keypoints are within the tolerance by the
homography. All distances are in one list, and areas come from scikit-learn on it.
Pairs with an invalid descriptor are not in the list.

Run in this folder: python3 allpairs.py    (NumPy, SciPy, scikit-learn)

allpairs.json: descriptor -> score -> scope -> figures. "nearest", "mutual" and
"mutual+ratio=0.8" are the counts TP, FP, FN, TN of these matchers, "youden" those of
the smallest threshold with the largest TPR - FPR, and "at_all" those of the
threshold that is "youden" of the scope "all".
"""

import json

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from reference import DEFAULTS, IMAGES, SCENES, Pair, category, homography, keypoint_sets, load, DESCRIPTORS

TOLERANCE = 3


def scores(pair, kind):
    """Of all pairs of keypoints, NaN with an invalid descriptor."""
    d = np.sqrt(pair.d2)
    d[~np.isfinite(d)] = np.nan
    if kind == "distance":
        return d
    out = np.full_like(d, np.nan)
    for q in range(len(d)):
        for c in range(d.shape[1]):
            others = np.delete(d[q], c)
            others = others[~np.isnan(others)]
            if np.isnan(d[q, c]) or len(others) == 0:
                continue
            if others.min() > 0:
                out[q, c] = d[q, c] / others.min()
            else:
                out[q, c] = 1 if d[q, c] == 0 else np.finfo(float).max
    return out


def matched(pair):
    """The cells that the matchers accept: nearest, mutual, mutual within ratio 0.8."""
    d = np.where(np.isfinite(pair.d2), np.sqrt(pair.d2), np.inf)
    cells = {"nearest": [], "mutual": [], "mutual+ratio=0.8": []}
    for q in range(len(d)):
        if d.shape[1] == 0 or not np.isfinite(d[q].min()):
            continue
        c = int(d[q].argmin())
        cells["nearest"].append((q, c))
        if int(d[:, c].argmin()) != q:
            continue
        cells["mutual"].append((q, c))
        second = np.sort(d[q])[1] if d.shape[1] > 1 else np.inf
        if np.isfinite(second) and (second > 0 and d[q, c] / second <= 0.8):
            cells["mutual+ratio=0.8"].append((q, c))
    return cells


def counts(y, yes):
    return [int((y & yes).sum()), int((~y & yes).sum()), int((y & ~yes).sum()), int((~y & ~yes).sum())]


def figures(parts, kind, threshold):
    every, s = np.concatenate([p["y"] for p in parts]), np.concatenate([p[kind] for p in parts])
    known = ~np.isnan(s)  # the only candidate of a query has no ratio
    y, s = every[known], s[known]
    f = {"positives": int(y.sum()), "negatives": int((~y).sum())}
    if not y.any() or y.all():
        return f
    fpr, tpr, at = roc_curve(y, -s, drop_intermediate=False)
    # Rates as whole numbers, so that equal ones are equal.
    tp, fp = np.rint(tpr * f["positives"]).astype(int), np.rint(fpr * f["negatives"]).astype(int)
    best = int(np.argmax(tp * f["negatives"] - fp * f["positives"]))
    f["roc_auc"] = roc_auc_score(y, -s)
    f["average_precision"] = average_precision_score(y, -s)
    f["fpr95"] = float(fpr[np.argmax(tp >= 0.95 * f["positives"])])
    f["youden_threshold"] = float(-at[best])
    f["youden"] = counts(y, s <= -at[best])
    f["at_all"] = counts(y, s <= (threshold if threshold is not None else -at[best]))
    for name in parts[0]["matched"]:
        f[name] = counts(every, np.concatenate([p["matched"][name] for p in parts]))
    return f


def evaluate(descriptor, images, sets):
    rows = sets[DESCRIPTORS[descriptor][0]]
    parts = []
    for scene in SCENES:
        for k in range(2, 7):
            pair = Pair(descriptor, scene, k, images, rows, homography(scene, k), dict(DEFAULTS, tolerance=TOLERANCE))
            part = {"scene": scene, "k": k, "matched": {}}
            distance = scores(pair, "distance")
            known = ~np.isnan(distance)
            part["y"], part["distance"] = (pair.error <= TOLERANCE)[known], distance[known]
            part["ratio"] = scores(pair, "ratio")[known]
            for name, cells in matched(pair).items():
                yes = np.zeros(distance.shape, bool)
                for q, c in cells:
                    yes[q, c] = True
                part["matched"][name] = yes[known]
            parts.append(part)
    scopes = {"all": parts}
    for p in parts:
        for name in (category(p["scene"]), f"k:{p['k']}", f"scene:{p['scene']}"):
            scopes.setdefault(name, []).append(p)
    out = {}
    for kind in ("distance", "ratio"):
        threshold = None
        out[kind] = {}
        for name, some in scopes.items():
            out[kind][name] = figures(some, kind, threshold)
            if name == "all":
                threshold = out[kind]["all"]["youden_threshold"]
    return out


def main():
    images = load()
    sets = keypoint_sets(images)
    with open("allpairs.json", "w") as f:
        # A line for each scope.
        result = {d: evaluate(d, images, sets) for d in ("sift", "strong", "raw")}
        f.write("{" + ",".join(f'\n"{d}": {{' + ",".join(
            f'\n "{kind}": {{' + ",".join(f'\n  "{scope}": {json.dumps(figures)}' for scope, figures in scopes.items()) + "}"
            for kind, scopes in kinds.items()) + "}" for d, kinds in result.items()) + "}\n")


if __name__ == "__main__":
    main()
