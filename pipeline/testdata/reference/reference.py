"""Writes expected.json: every figure that a run of the features in this folder
must print, worked out in the plainest way from the definitions alone. Distances
come as full matrices, ranks from counting in them, matches from sorting them,
areas under curves from scikit-learn and numerical integration, means from
math.fsum. Nothing here is taken from the program.

Run in this folder: python3 reference.py    (NumPy, SciPy, scikit-learn)

expected.json: group -> descriptor -> scope -> metric -> [value, n]; beside the
scopes "histogram", the processed queries by rank, from rank 1. A group is a way
of evaluating (GROUPS below); what a group does not list of a scope's metrics is
not defined there, or is the same as in another group.
"""

import hashlib
import json
import math
import struct
import warnings

import numpy as np
from scipy.integrate import quad
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score

trapezoid = getattr(np, "trapezoid", None) or np.trapz  # as NumPy 2 calls it, or 1

SCENES = ["i_synth_001", "i_synth_002", "v_synth_001", "v_synth_002"]
IMAGES = range(1, 7)
ROOT = "../../../testdata/scenes"


# --- the data -----------------------------------------------------------------

class Image:
    """Keypoints (x, y, size, response) and raw rows of one image."""

    def __init__(self, scene, number):
        with open(f"{ROOT}/{scene}/{number}.png", "rb") as f:
            self.width, self.height = struct.unpack(">II", f.read(24)[16:])  # of the chunk IHDR
        a = np.load(f"features/{scene}/{number}.npz")
        self.x, self.y, self.size = (a["keypoints"][:, i].astype(float) for i in range(3))
        self.response = a["scores"].astype(float)
        self.raw = a["descriptors"].astype(np.float32).astype(float)
        self.valid = a["valid"] if "valid" in a else np.ones(len(self.x), bool)


def load():
    return {(s, i): Image(s, i) for s in SCENES for i in IMAGES}


def homography(scene, k):
    with open(f"{ROOT}/{scene}/H_1_{k}") as f:
        return np.array(f.read().split(), float).reshape(3, 3)


def mapped(h, x, y):
    w = h[2, 0] * x + h[2, 1] * y + h[2, 2]
    return (h[0, 0] * x + h[0, 1] * y + h[0, 2]) / w, (h[1, 0] * x + h[1, 1] * y + h[1, 2]) / w


def category(scene):
    return {"v_": "viewpoint", "i_": "illumination"}.get(scene[:2], "other")


# --- section 1: which rows of the imported keypoints a set has, per image ------

def inside(image, rows, b, half_open):
    x, y, w, h = image.x[rows], image.y[rows], image.width, image.height
    if half_open:
        return rows[(b <= x) & (x < w - b) & (b <= y) & (y < h - b)]
    return rows[(b <= x) & (x <= w - b) & (b <= y) & (y <= h - b)]


def keypoint_sets(images):
    """The keypoint sets of the test's config, as rows of the files."""
    sets = {name: {} for name in ("all", "strong", "large", "scarce", "apart", "both.a", "both.b")}
    for at, image in images.items():
        rows = np.arange(len(image.x))
        sets["all"][at] = rows
        kept = inside(image, rows, 40, False)
        order = sorted(range(len(kept)), key=lambda i: (-image.response[kept[i]], i))
        sets["strong"][at] = kept[order[:60]]
        kept = inside(image, rows, 30, True)
        sets["large"][at] = kept[image.size[kept] >= 3]
        taken = []
        for r in sorted(rows, key=lambda r: (-image.response[r], r)):
            if all(math.hypot(image.x[r] - image.x[t], image.y[r] - image.y[t]) >= 12 for t in taken):
                taken.append(r)
        sets["apart"][at] = np.array(sorted(taken), int)
    largest = sorted((-images[at].size[r], at, i) for at, rows in sets["large"].items() for i, r in enumerate(rows))[:700]
    sets["scarce"] = {at: rows[sorted(i for _, a, i in largest[:72] if a == at)] for at, rows in sets["large"].items()}
    sets["large"] = {at: rows[sorted(i for _, a, i in largest if a == at)] for at, rows in sets["large"].items()}
    for at, image in images.items():
        a, b = sets["strong"][at], sets["large"][at]
        d = np.hypot(image.x[a][:, None] - image.x[b], image.y[a][:, None] - image.y[b])
        pairs = [(i, d[i].argmin()) for i in range(len(a)) if len(b)]
        pairs = [(i, j) for i, j in pairs if d[:, j].argmin() == i and d[i, j] <= 2]
        sets["both.a"][at] = a[[i for i, _ in pairs]]
        sets["both.b"][at] = b[[j for _, j in pairs]]
    return sets


# --- section 2: the rows that are compared ------------------------------------

def finished(image, rows, root, norm):
    """Rows rooted and normalised in float64, rounded to float32 once per step,
    and which of them say something."""
    raw = image.raw[rows]
    ok = image.valid[rows] & np.isfinite(raw).all(1) & (raw != 0).any(1)
    out = np.where(ok[:, None], raw, 0.0)
    with np.errstate(invalid="ignore"):
        if root:
            out = np.sqrt(out / out.sum(1, keepdims=True)).astype(np.float32).astype(float)
        if norm == "l2":
            out = out / np.sqrt((out * out).sum(1, keepdims=True))
        elif norm == "l1":
            out = out / np.abs(out).sum(1, keepdims=True)
    out = out.astype(np.float32).astype(float)
    out[~ok] = 0
    return out, ok


DESCRIPTORS = {  # name: keypoint set, root, norm
    "sift": ("all", False, "l2"),
    "rootsift": ("all", True, "l2"),
    "raw": ("all", False, "none"),
    "l1": ("all", False, "l1"),
    "strong": ("strong", False, "l2"),
    "large": ("large", False, "l2"),
    "scarce": ("scarce", False, "l2"),  # pairs without keypoints in image 1, in image k, in both
    "apart": ("apart", True, "none"),
    "both_a": ("both.a", False, "l2"),
    "both_b": ("both.b", False, "l2"),
    "fused": ("all", None, None),  # the rows of rootsift behind those of sift, normalised as one
}


def rows_of(descriptor, image, rows):
    _, root, norm = DESCRIPTORS[descriptor]
    if descriptor != "fused":
        return finished(image, rows, root, norm)
    (a, ok), (b, _) = finished(image, rows, False, "l2"), finished(image, rows, True, "l2")
    joined = np.concatenate([a, b], 1)
    joined[ok] /= np.sqrt((joined[ok] ** 2).sum(1, keepdims=True))
    return joined.astype(np.float32).astype(float), ok


def squared_distances(a, b):
    """Σ(a_i - b_i)², i ascending, in float64."""
    d = np.zeros((len(a), len(b)))
    for i in range(a.shape[1]):
        t = a[:, i, None] - b[None, :, i]
        d += t * t
    return d


# --- the random draws, as testdata/golden.py of eval/random has them -----------

class Stream:
    def __init__(self, *key):
        text = b"".join(len(t).to_bytes(8, "big") + t for t in (str(k).encode() for k in key))
        self.state = int.from_bytes(hashlib.sha256(text).digest()[:16], "big")

    def uint64(self):
        self.state = (self.state * 0x2360ED051FC65DA44385DF649FCCF645 + 0x5851F42D4C957F2D14057B7EF767814F) % 2**128
        high, low = divmod(self.state, 2**64)
        high ^= high >> 32
        high = high * 0xDA942042E4DD58B5 % 2**64
        high ^= high >> 48
        return high * (low | 1) % 2**64

    def below(self, n):
        while True:
            product = self.uint64() * n
            if product % 2**64 >= 2**64 % n:
                return product // 2**64

    def sample(self, n, m):
        cards = list(range(n))
        for i in range(m):
            j = i + self.below(n - i)
            cards[i], cards[j] = cards[j], cards[i]
        return cards[:m]


# --- one image pair -----------------------------------------------------------

DEFAULTS = {
    "tolerance": 3, "ties": "mean", "relevance": "nearest", "cutoffs": [1, 5, 10],
    "exclude_invalid": None, "exclude_beyond": None, "gallery": None, "workbench": None, "bojanic": None,
    "matcher": {"cross_check": True}, "dlt": False,
}


class Pair:
    """Every query of image 1 against every candidate of image k."""

    def __init__(self, descriptor, scene, k, images, rows, h, e):
        self.descriptor, self.scene, self.k, self.e = descriptor, scene, k, e
        self.one, self.other = images[scene, 1], images[scene, k]
        self.q, self.c = rows[scene, 1], rows[scene, k]
        a, self.ok_q = rows_of(descriptor, self.one, self.q)
        b, self.ok_c = rows_of(descriptor, self.other, self.c)
        self.bytes = 4 * a.shape[1]
        self.d2 = squared_distances(a, b)
        self.d2[~self.ok_q] = np.inf
        self.d2[:, ~self.ok_c] = np.inf
        self.x1, self.y1 = self.one.x[self.q], self.one.y[self.q]
        self.xk, self.yk = self.other.x[self.c], self.other.y[self.c]
        self.px, self.py = mapped(h, self.x1, self.y1)                      # queries in image k
        self.bx, self.by = mapped(np.linalg.inv(h), self.xk, self.yk)      # candidates in image 1
        self.error = np.sqrt((self.px[:, None] - self.xk) ** 2 + (self.py[:, None] - self.yk) ** 2)
        self.find_truths()
        self.rank_truths()
        self.find_nearest()
        self.match()
        self.count_repeated()
        self.corner_error = self.dlt(h) if e["dlt"] else None

    def find_truths(self):
        n = len(self.c)
        self.truth = np.array([int(row.argmin()) if n and row.min() <= self.e["tolerance"] else -1 for row in self.error], int)
        self.admitted = np.ones(len(self.q), bool)
        if self.e["exclude_invalid"]:
            self.admitted &= self.ok_q
        if self.e["exclude_invalid"] == "both" and n:
            self.admitted &= [self.ok_c[self.answers(q)].any() for q in range(len(self.q))]
        if self.e["exclude_beyond"] is not None:
            far = (np.abs(self.px) > self.e["exclude_beyond"]) | (np.abs(self.py) > self.e["exclude_beyond"])
            self.admitted &= ~far
        self.processed = (self.truth >= 0) & self.admitted

    def answers(self, q):
        t = int(self.error[q].argmin())
        if self.e["relevance"] == "position":
            return np.flatnonzero(np.hypot(self.xk - self.xk[t], self.yk - self.yk[t]) <= 0.01)
        return np.array([t])

    def rank(self, q, answers, others):
        """Of the best of the answers among the others."""
        best, d = self.d2[q, answers].min(), self.d2[q, others]
        if math.isinf(best):  # the query, or every answer, says nothing
            return 1.0 + len(others)
        less, equal = int((d < best).sum()), int((d == best).sum())
        close = (d != best) & np.isclose(d, best, rtol=1e-12, atol=1e-14)
        assert not close.any(), "a near tie that rounding decides"
        return 1 + less + {"mean": equal / 2, "strict": 0, "workbench": (equal + 1) // 2}[self.e["ties"]]

    def rank_truths(self):
        n, self.ranks, self.gallery_ranks = len(self.c), [], []
        for q in np.flatnonzero(self.processed):
            answers = self.answers(q)
            others = np.setdiff1d(np.arange(n), answers)
            self.ranks.append(self.rank(q, answers, others))
            if self.e["gallery"] and len(others) >= self.e["gallery"][0] - 1:
                size, seed = self.e["gallery"]
                drawn = Stream(seed, "fixed gallery", self.scene, self.k, q).sample(len(others), size - 1)
                self.gallery_ranks.append(self.rank(q, answers, others[drawn]))

    def reciprocal_within(self, px):
        """1 / rank of every query whose nearest candidate is within px, whatever the tolerance."""
        out = []
        for q in range(len(self.q)):
            if self.admitted[q] and len(self.c) and self.error[q].min() <= px:
                answers = self.answers(q)
                out.append(1 / self.rank(q, answers, np.setdiff1d(np.arange(len(self.c)), answers)))
        return out

    def find_nearest(self):
        """Nearest and second nearest neighbour by sorting; equal ones by row."""
        nq, nc = self.d2.shape
        self.nearest, self.d1, self.ratio = np.full(nq, -1), np.full(nq, np.nan), np.full(nq, np.nan)
        self.nearest_error, self.mutual = np.full(nq, np.inf), np.zeros(nq, bool)
        self.second = np.zeros(nq, bool)
        for q in range(nq):
            order = [j for j in np.argsort(self.d2[q], kind="stable") if np.isfinite(self.d2[q, j])]
            if order:
                j = order[0]
                self.nearest[q], self.d1[q], self.nearest_error[q] = j, math.sqrt(self.d2[q, j]), self.error[q, j]
                self.mutual[q] = np.argsort(self.d2[:, j], kind="stable")[0] == q
            if len(order) > 1:
                d2 = math.sqrt(self.d2[q, order[1]])
                self.second[q], self.ratio[q] = True, 1.0 if d2 == 0 else self.d1[q] / d2

    def match(self):
        """Which queries the matcher matches with their nearest neighbours."""
        m = self.e["matcher"]
        self.matched = self.nearest >= 0
        if m.get("cross_check"):
            self.matched &= self.mutual
        if "ratio" in m:
            self.matched &= self.second & (np.nan_to_num(self.ratio, nan=np.inf) <= m["ratio"])
        if "min_similarity" in m:
            self.matched &= 1 - np.nan_to_num(self.d1, nan=np.inf) ** 2 / 2 >= m["min_similarity"]
        if "max_distance" in m:
            self.matched &= np.nan_to_num(self.d1, nan=np.inf) <= m["max_distance"]
        if "top_k" in m:
            best = sorted(np.flatnonzero(self.matched), key=lambda q: (self.d1[q], q))[: m["top_k"]]
            self.matched[:] = False
            self.matched[best] = True

    def dlt(self, truth):
        """Corner error of the homography of all matches (Hartley & Zisserman,
        algorithm 4.2), by singular values; infinite if they do not determine one."""
        q = np.flatnonzero(self.matched)
        ends = [(self.x1[q], self.y1[q]), (self.xk[self.nearest[q]], self.yk[self.nearest[q]])]
        if len(q) < 4 or any(np.ptp(x) == 0 and np.ptp(y) == 0 for x, y in ends):
            return math.inf
        t = []
        for x, y in ends:
            s = math.sqrt(2) / np.mean(np.hypot(x - x.mean(), y - y.mean()))
            t.append(np.array([[s, 0, -s * x.mean()], [0, s, -s * y.mean()], [0, 0, 1]]))
        (x, y), (u, v) = ((m[0, 0] * a + m[0, 2], m[1, 1] * b + m[1, 2]) for m, (a, b) in zip(t, ends))
        one, nil = np.ones(len(q)), np.zeros(len(q))
        a = np.concatenate([np.stack([x, y, one, nil, nil, nil, -u * x, -u * y, -u], 1), np.stack([nil, nil, nil, x, y, one, -v * x, -v * y, -v], 1)])
        _, s, vt = np.linalg.svd(a, full_matrices=True)
        s = np.concatenate([s, np.zeros(9 - len(s))])
        if not s[7] ** 2 > 1e-12 * s[0] ** 2:
            return math.inf
        h = np.linalg.inv(t[1]) @ vt[8].reshape(3, 3) @ t[0]
        w, height = self.one.width - 1, self.one.height - 1
        corners = np.array([0, w, 0, w], float), np.array([0, 0, height, height], float)
        (x, y), (u, v) = mapped(h, *corners), mapped(truth, *corners)
        return float(np.mean(np.hypot(x - u, y - v)))

    def count_repeated(self):
        w1, h1, wk, hk = self.one.width, self.one.height, self.other.width, self.other.height
        self.shared1 = (self.px >= 0) & (self.px <= wk - 1) & (self.py >= 0) & (self.py <= hk - 1)
        self.sharedk = (self.bx >= 0) & (self.bx <= w1 - 1) & (self.by >= 0) & (self.by <= h1 - 1)
        forth = np.where(self.shared1[:, None] & self.sharedk, self.error, np.inf)
        back = np.hypot(self.bx[:, None] - self.x1, self.by[:, None] - self.y1)
        back = np.where(self.sharedk[:, None] & self.shared1, back, np.inf)

        def neighbours(d):
            return {i: (int(row.argmin()), row.min()) for i, row in enumerate(d) if len(row) and row.min() <= 3}
        of1, ofk = neighbours(forth), neighbours(back)
        self.n_shared = int(self.shared1.sum() + self.sharedk.sum())
        self.errors = [d for _, d in of1.values()] + [d for _, d in ofk.values()]
        self.one_to_one = sum(1 for i, (j, _) in of1.items() if ofk.get(j, (-1, 0))[0] == i)

    # figures of the pair; None is undefined

    def judged(self, figure):
        """A figure that judges the detector: without keypoints, it has failed."""
        return figure if len(self.q) and len(self.c) else 0

    def within(self, t):
        return self.matched & (self.nearest_error <= t)

    def mma(self, t):
        return self.within(t).sum() / self.matched.sum() if self.matched.any() else 0.0

    def recall(self):
        has = sum(1 for row in self.error if len(row) and row.min() <= 3)
        return self.within(3).sum() / has if has else None

    def symmetric(self, px):
        """As gluefactory/geometry/homography.py has it: the mean of both errors, below px."""
        q = np.flatnonzero(self.matched)
        c = self.nearest[q]
        back = np.hypot(self.bx[c] - self.x1[q], self.by[c] - self.y1[q])
        return np.mean((self.error[q, c] + back) / 2 < px) if len(q) else 0.0

    def partners(self):
        """As gluefactory/geometry/gt_generation.py has it, from the whole matrix: mutual nearest
        neighbours in the larger of both errors, below 3 px; -1 further than 5 px from all; else -2."""
        if not len(self.c):
            return np.full(len(self.q), -1)
        both = np.maximum(self.error, np.hypot(self.bx - self.x1[:, None], self.by - self.y1[:, None]))
        out = np.where(self.error.min(1) > 5, -1, -2)
        for i in range(len(self.q)):
            j = both[i].argmin()
            if both[i, j] < 3 and both[:, j].argmin() == i:
                out[i] = j
        return out

    def gt_match(self):
        """Recall and precision of glue-factory's eval_matches_depth, 0 of nothing."""
        if not len(self.q):
            return 0, 0
        of = self.partners()
        right = (self.matched & (of >= 0) & (of == self.nearest)).sum()
        return right / max((of >= 0).sum(), 1), right / max((self.matched & (of > -2)).sum(), 1)

    def matching_score(self):
        right = self.within(3)
        shares = []
        if self.shared1.any():
            shares.append((right & self.shared1).sum() / self.shared1.sum())
        if self.sharedk.any():
            shares.append(sum(self.sharedk[j] for j in self.nearest[right]) / self.sharedk.sum())
        return mean(shares)

    def ratio_test(self):
        """(ratio or NaN, right) of every query that counts; and how many queries
        have a correspondence. One candidate leaves no ratio."""
        if self.ok_c.sum() < 2:
            return [], 0
        right = (self.nearest >= 0) & (self.nearest_error <= self.e["tolerance"])
        counts = self.second | ~self.ok_q
        has = counts & (right | (self.truth >= 0))
        return [(self.ratio[q], right[q]) for q in np.flatnonzero(self.second)], int(has.sum())


def spread(image, rows):
    """Entropy over 8×8 cells, in units of 6 bits; the image is from -½ to w-½."""
    if not len(rows):
        return None
    column = np.clip(np.floor((image.x[rows] + 0.5) * 8 / image.width), 0, 7)
    row = np.clip(np.floor((image.y[rows] + 0.5) * 8 / image.height), 0, 7)
    _, counts = np.unique(8 * row + column, return_counts=True)
    p = counts / counts.sum()
    return float(-(p * np.log2(p)).sum() / 6)


def mean(values):
    values = [v for v in values if v is not None]
    return math.fsum(values) / len(values) if values else None


# --- figures of a scope -------------------------------------------------------

class Figures(dict):
    def put(self, name, value, n):
        if value is not None:
            self[name] = [float(f"{value:.12g}"), int(n)]

    def mean(self, name, values):
        values = [v for v in values if v is not None]
        self.put(name, mean(values), len(values))

    def share(self, name, part, whole):
        self.put(name, part / whole if whole else None, whole)


def by_scene(pairs):
    return [[p for p in pairs if p.scene == s] for s in SCENES if any(p.scene == s for p in pairs)]


def reciprocal(pairs):
    return [1 / r for p in pairs for r in p.ranks]


def queries(pairs):
    return sum(len(p.q) for p in pairs)


def held_to(pairs):
    """The queries that the detector is judged by: its own, or without any as many as the
    other pairs of the descriptor have on average, to the nearest whole number."""
    return sum(len(p.q) or p.average for p in pairs)


def ranking(f, pairs, macro, mixed):
    e = pairs[0].e
    scenes = by_scene(pairs)
    ap = reciprocal(pairs)
    f.mean("true_map_micro", ap)
    f.share("true_map_micro_including_zeros", math.fsum(ap), held_to(pairs))

    def scene_means(scenes):
        return [mean(reciprocal(s)) for s in scenes]

    def with_zeros(scenes):
        return [math.fsum(reciprocal(s)) / held_to(s) for s in scenes]
    if macro:
        f.mean("true_map_macro_by_scene", scene_means(scenes))
        f.mean("true_map_macro_by_scene_including_zeros", with_zeros(scenes))
    if mixed:
        for c in ("viewpoint", "illumination"):
            own = [s for s in scenes if category(s[0].scene) == c]
            f.mean(c + "_map", scene_means(own))
            f.mean(c + "_map_including_zeros", with_zeros(own))
            f.mean(c + "_map_micro", [v for s in own for v in reciprocal(s)])

    def precision(p):
        return (p.nearest_error <= e["tolerance"]).sum() / len(p.q) if len(p.q) else None
    f.mean("mean_precision", [precision(p) for p in pairs])
    if macro:
        f.mean("legacy_macro_precision_by_scene", [mean([precision(p) for p in s]) for s in scenes])
    ranks = [r for p in pairs for r in p.ranks]
    for k in e["cutoffs"]:
        hits = sum(r <= k for r in ranks)
        f.share(f"precision_at_{k}", hits, len(ranks))
        f.share(f"recall_at_{k}", hits, len(ranks))
    for px in (1, 2, 3, 5, 10):
        f.mean(f"mrr@{px}", [v for p in pairs for v in p.reciprocal_within(px)])
    f.share("coverage", len(ranks), held_to(pairs))
    f.mean("mean_gallery_size", [len(p.c) for p in pairs for _ in p.ranks])
    f.put("total_queries_processed", len(ranks), queries(pairs))
    f.put("total_queries_excluded", queries(pairs) - len(ranks), queries(pairs))
    f.put("total_matches", sum((p.nearest >= 0).sum() for p in pairs), queries(pairs))
    keypoints = sum(len(s[0].q) for s in scenes) + sum(len(p.c) for p in pairs)
    invalid = sum((~s[0].ok_q).sum() for s in scenes) + sum((~p.ok_c).sum() for p in pairs)
    f.put("total_keypoints", keypoints, len(scenes) + len(pairs))
    f.put("total_invalid_rows", invalid, keypoints)
    if e["gallery"]:
        drawn = [1 / r for p in pairs for r in p.gallery_ranks]
        f.mean("fixed_gallery_map", drawn)
        if macro:
            f.mean("fixed_gallery_map_macro_by_scene", [mean([1 / r for p in s for r in p.gallery_ranks]) for s in scenes])
        f.put("fixed_gallery_queries", len(drawn), len(ranks))
        left_out = sum(bool(p.ranks) and not p.gallery_ranks for p in pairs)
        f.put("fixed_gallery_pairs_left_out", left_out, sum(len(p.q) > 0 for p in pairs))


def matching(f, pairs, sweep):
    for t in range(1, 11):
        f.mean(f"mma@{t}", [p.mma(t) for p in pairs])
    f.mean("matching_score", [p.judged(p.matching_score()) for p in pairs])
    f.mean("repeatability@3", [p.judged(len(p.errors) / p.n_shared if p.n_shared else None) for p in pairs])
    f.mean("repeatability_one_to_one@3", [p.judged(2 * p.one_to_one / p.n_shared if p.n_shared else None) for p in pairs])
    f.mean("localization_error", [mean(p.errors) for p in pairs])
    tests = [p.ratio_test() for p in pairs]
    correspondences = sum(n for _, n in tests)
    for hundredths in range(50, 101) if sweep else [80]:
        passed = [right for ratios, _ in tests for r, right in ratios if r <= hundredths / 100]
        f.share(f"ratio_precision@{hundredths / 100:.2f}", sum(passed), len(passed))
        f.share(f"ratio_recall@{hundredths / 100:.2f}", sum(passed), correspondences)
    f.mean("matches_per_pair", [p.matched.sum() for p in pairs])
    f.mean("match_recall@3", [p.recall() for p in pairs])
    for t in (1, 3, 5):
        f.put(f"match_precision_median@{t}", float(np.median([p.mma(t) for p in pairs])), len(pairs))
    f.put("matches_per_pair_median", float(np.median([p.matched.sum() for p in pairs])), len(pairs))
    for t in (1, 3):
        f.put(f"symmetric_precision_median@{t}", float(np.median([p.symmetric(t) for p in pairs])), len(pairs))
    for t in (1, 3, 5):
        f.mean(f"reproj_precision@{t}", [p.symmetric(t) for p in pairs])
    for i, name in enumerate(("gt_match_recall@3", "gt_match_precision@3")):
        f.mean(name, [p.gt_match()[i] for p in pairs])
    mutual = pairs[0].e["matcher"] == {"cross_check": True}
    if mutual:
        f.mean("mutual_matches_per_pair", [p.matched.sum() for p in pairs])
    matches = sum(p.matched.sum() for p in pairs)
    if queries(pairs) and mutual:
        f.put("total_mutual_matches", matches, queries(pairs))
    f.share("inlier_share", sum(p.within(p.e["tolerance"]).sum() for p in pairs), matches)
    images = [x for s in by_scene(pairs) for x in [(s[0].one, s[0].q)] + [(p.other, p.c) for p in s]]
    f.mean("keypoints_per_image", [len(rows) for _, rows in images])
    f.mean("keypoint_spread", [spread(image, rows) for image, rows in images])
    f.mean("bytes_per_descriptor", [p.bytes for p in pairs])
    if pairs[0].e["dlt"]:
        errors = np.sort([p.corner_error for p in pairs])
        for t in (1, 3, 5, 7, 10):
            f.put(f"dlt_homography_accuracy@{t}", float(np.mean(errors <= t)), len(pairs))
            f.put(f"dlt_homography_auc@{t}", pose_auc(errors, t), len(pairs))


def pose_auc(errors, t):
    """As SuperGlue's models/utils.py has it."""
    recall = (np.arange(len(errors)) + 1) / len(errors)
    errors, recall = np.r_[0.0, errors], np.r_[0.0, recall]
    last = np.searchsorted(errors, t)
    return float(trapezoid(np.r_[recall[:last], recall[last - 1]], x=np.r_[errors[:last], t]) / t)


def classification(f, pairs):
    """Section 6 of every query with its nearest neighbour."""
    d = np.concatenate([p.d1[p.nearest >= 0] for p in pairs])
    y = np.concatenate([p.nearest_error[p.nearest >= 0] <= p.e["tolerance"] for p in pairs])
    positives, negatives = int(y.sum()), int((~y).sum())
    if positives + negatives == 0:
        return
    # The points of the ROC curve: nothing accepted, then one per distance.
    points = [(0, 0)] + [(int((y & (d <= t)).sum()), int((~y & (d <= t)).sum())) for t in np.unique(d)]
    f.put("best_accuracy", max(tp + negatives - fp for tp, fp in points) / len(y), len(y))
    if positives:
        f.put("average_precision", average_precision_score(y, -d), positives)
        precision, recall, _ = precision_recall_curve(y, -d)
        f.put("pr_auc_trapezoid", auc(recall, precision), positives)
        f.put("pr_auc_interpolated", interpolated_area(points) / positives, positives)
    if positives and negatives:
        f.put("roc_auc", roc_auc_score(y, -d), len(y))
        f.put("best_youden_j", max(tp / positives - fp / negatives for tp, fp in points), len(y))
        f.put("fpr95", next(fp / negatives for tp, fp in points if 20 * tp >= 19 * positives), negatives)
        f.put("eer", equal_error_rate([(fp / negatives, 1 - tp / positives) for tp, fp in points]), len(y))


def interpolated_area(points):
    """Precision TP/(TP+FP) over TP, where TP and FP go straight from point to
    point (Davis and Goadrich 2006), integrated numerically."""
    total = []
    for (tp0, fp0), (tp1, fp1) in zip(points, points[1:]):
        if tp1 > tp0:
            def precision(t, a=tp0, b=fp0, slope=(fp1 - fp0) / (tp1 - tp0)):
                return t / (t + b + slope * (t - a))
            total.append(quad(precision, tp0, tp1, epsabs=1e-13, epsrel=1e-13)[0])
    return math.fsum(total)


def equal_error_rate(rates):
    for (fpr0, fnr0), (fpr1, fnr1) in zip(rates, rates[1:]):
        if fpr1 >= fnr1:
            # fpr0 + s·(fpr1-fpr0) = fnr0 + s·(fnr1-fnr0)
            s = (fnr0 - fpr0) / ((fpr1 - fpr0) - (fnr1 - fnr0))
            return fpr0 + s * (fpr1 - fpr0)


# --- section 4: the tasks with distractors -------------------------------------

def precision_sum(y, d):
    """Average precision; a row that says nothing is infinitely far."""
    rank = np.unique(d, return_inverse=True)[1]  # scikit-learn takes no infinity
    return float(average_precision_score(y, -rank))


def pools(seed, images, rows, row_maker, repetition=0):
    """The rows of one image of every scene, and which of them say something. Every
    repetition draws another image."""
    out = {}
    for s in SCENES:
        stream = Stream(seed, "pool image", s)
        at = s, 1 + [stream.below(6) for _ in range(repetition + 1)][-1]
        if len(rows[at]):
            out[s] = row_maker(images[at], rows[at])
    return out


def distances(a, ok_a, b, ok_b):
    return np.where(ok_a[:, None] & ok_b, np.sqrt(squared_distances(a, b)), np.inf)


class WorkbenchScene:
    """Labels +1, 0 and -1 of every candidate of every query of a scene."""

    def __init__(self, pairs, images, rows, of_scenes, per_scene, seed):
        self.scene, descriptor = pairs[0].scene, pairs[0].descriptor
        own, ok = rows_of(descriptor, pairs[0].one, pairs[0].q)
        everywhere = pools(seed, images, rows, lambda image, kept: rows_of(descriptor, image, kept))
        others = [distances(own, ok, *everywhere[s]) for s in everywhere if s != self.scene]
        self.distances, self.labels = [], []
        for q in range(len(own)):
            d = [np.sqrt(p.d2[q]) for p in pairs]
            y = [(np.arange(len(p.c)) == p.truth[q]).astype(int) for p in pairs]
            stream = Stream(seed, "workbench distractors", self.scene, q)
            for o in stream.sample(len(others), min(of_scenes, len(others))):
                n = others[o].shape[1]
                drawn = stream.sample(n, min(per_scene, n))
                d.append(others[o][q, drawn])
                y.append(np.full(len(drawn), -1))
            self.distances.append(np.concatenate(d))
            self.labels.append(np.concatenate(y))

    def verification(self):
        y, d = np.concatenate(self.labels) == 1, np.concatenate(self.distances)
        return precision_sum(y, d) if y.any() else None

    def retrieval(self, ignore):
        out = []
        for y, d in zip(self.labels, self.distances):
            kept = y != 0 if ignore else y == y
            if (y == 1).any():
                out.append(precision_sum(y[kept] == 1, d[kept]))
        return out


def task_scopes(scopes):
    return {s: pairs for s, pairs in scopes.items() if not s.startswith(("k:", "pair:"))}


def workbench_tasks(scopes, images, rows, hard_negatives, *distractors):
    of = {own[0].scene: WorkbenchScene(own, images, rows, *distractors) for own in by_scene(scopes["all"])}
    out = {}

    def put(f, scenes, verification, retrieval):
        f.mean(verification, [t.verification() for t in scenes])
        f.mean(retrieval, [v for t in scenes for v in t.retrieval(hard_negatives == "ignore")])
    for scope, pairs in task_scopes(scopes).items():
        scenes = [of[s[0].scene] for s in by_scene(pairs)]
        f = out[scope] = Figures()
        put(f, scenes, "keypoint_verification_ap", "keypoint_retrieval_ap")
        n = sum(len(t.labels) for t in scenes)
        labels = np.concatenate([y for t in scenes for y in t.labels])
        f.put("retrieval_num_true_positives", (labels == 1).sum(), n)
        f.put("retrieval_num_hard_negatives", 0 if hard_negatives == "ignore" else (labels == 0).sum(), n)
        f.put("retrieval_num_distractors", (labels == -1).sum(), n)
        if scope == "all":
            for c in ("viewpoint", "illumination"):
                put(f, [t for t in scenes if category(t.scene) == c], f"verification_{c}_ap", f"retrieval_{c}_ap")
    return out


class BojanicScene:
    """One repetition on one scene: its labelled matches and its retrievals."""

    def __init__(self, pairs, images, rows, n, repetition, seed):
        self.scene, root = pairs[0].scene, DESCRIPTORS[pairs[0].descriptor][1]

        def raw(image, kept):
            return finished(image, kept, root, "none")
        q = np.arange(len(pairs[0].q))
        for p in pairs:
            q = q[(0 <= p.px[q]) & (p.px[q] <= p.other.width) & (0 <= p.py[q]) & (p.py[q] <= p.other.height)]
        if 0 < n < len(q):
            q = q[sorted(Stream(seed, "bojanic keypoints", self.scene, repetition).sample(len(q), n))]
        own, ok = raw(pairs[0].one, pairs[0].q)
        own, ok = own[q], ok[q]

        self.matches = []  # per pair: (correct, distance) of every match
        positives = [[] for _ in q]
        for p in pairs:
            d, found = distances(own, ok, *raw(p.other, p.c)), []
            for i in range(len(q)) if len(p.c) else ():
                j = int(d[i].argmin())
                if np.isfinite(d[i, j]):
                    found.append((bool(p.error[q[i], j] == p.error[q[i]].min()), d[i, j]))
                positives[i].append(d[i, p.error[q[i]].argmin()])
            self.matches.append(found)

        self.negatives, among = [], []
        everywhere = pools(seed, images, rows, raw, repetition)
        for s in everywhere:
            if s == self.scene:
                continue
            d = distances(own, ok, *everywhere[s])
            self.negatives += [(False, v) for v in d.min(1) if np.isfinite(v)]
            if 0 < n < d.shape[1]:
                d = d[:, Stream(seed, "bojanic candidates", self.scene, repetition, s).sample(d.shape[1], n)]
            among.append(d.min(1))
        self.retrievals = [precision_sum(np.arange(len(own) + len(among)) < len(own), np.array(own + [a[i] for a in among]))
                           for i, own in enumerate(positives) if own]


def pooled_precision(labelled):
    y, d = np.array([y for y, _ in labelled], bool), np.array([d for _, d in labelled])
    return precision_sum(y, d) if y.any() else None


def bojanic(scopes, images, rows, n, repetitions, seed):
    rounds = [{own[0].scene: BojanicScene(own, images, rows, n, r, seed) for own in by_scene(scopes["all"])}
              for r in range(repetitions)]
    out = {}

    def put(f, name, values, number):
        values = [v for v in values if v is not None]
        f.put(name, mean(values), number)
        if len(values) > 1:
            f.put(name + "_std", np.std(values, ddof=1), len(values))
    for scope, pairs in task_scopes(scopes).items():
        f = out[scope] = Figures()
        names = [s[0].scene for s in by_scene(pairs)]
        right = [[pooled_precision(m) for s in names for m in of[s].matches if any(y for y, _ in m)] for of in rounds]
        labelled = [[x for s in names for x in sum(of[s].matches, []) + of[s].negatives] for of in rounds]
        retrieved = [[v for s in names for v in of[s].retrievals] for of in rounds]
        put(f, "bojanic_matching_map", [mean(v) for v in right], sum(map(len, right)))
        put(f, "bojanic_verification_ap", [pooled_precision(v) for v in labelled], sum(map(len, labelled)))
        put(f, "bojanic_retrieval_map", [mean(v) for v in retrieved], sum(map(len, retrieved)))
    for c in ("viewpoint", "illumination"):
        for name, figure in out[c].items():
            task, rest = name.removeprefix("bojanic_").split("_", 1)
            out["all"][f"bojanic_{task}_{c}_{rest}"] = figure
    return out


# --- the run ------------------------------------------------------------------

ALL = list(DESCRIPTORS)
MAIN = ["sift", "rootsift", "raw", "l1"]
GROUPS = {  # group: what differs from DEFAULTS, descriptors, kinds of figures; "pairs": of single pairs too
    "r1": ({}, MAIN, "ranking matching classification"),
    "pairs": ({}, ["sift"], "ranking matching classification pairs"),
    "sets": ({}, ALL[4:], "ranking matching classification"),
    "matcher nearest": ({"matcher": {}, "dlt": True}, ["sift", "raw"], "matching pairs"),
    "matcher ratio": ({"matcher": {"ratio": 0.8}, "dlt": True}, ["sift", "rootsift", "raw"], "matching pairs"),
    "matcher mutual ratio": ({"matcher": {"cross_check": True, "ratio": 0.7}, "dlt": True}, ["sift"], "matching"),
    "matcher top": ({"matcher": {"cross_check": True, "max_distance": 0.6, "top_k": 25}, "dlt": True}, ["sift"], "matching pairs"),
    "ties strict": ({"ties": "strict"}, ["sift", "raw"], "ranking"),
    "ties workbench": ({"ties": "workbench"}, ["sift", "raw"], "ranking pairs"),
    "tolerance": ({"tolerance": 1.5, "cutoffs": [2, 20]}, ["sift"], "ranking matching classification"),
    "workbench preset": ({"ties": "workbench", "exclude_invalid": "queries", "exclude_beyond": 2000}, ["sift"], "ranking"),
    "exclusions": ({"exclude_invalid": "both", "exclude_beyond": 400}, ["sift"], "ranking"),
    "position": ({"relevance": "position"}, ["sift", "raw"], "ranking pairs"),
    "fixed gallery": ({"gallery": (60, 7)}, ["sift", "raw"], "ranking"),
    "fixed gallery by position": ({"gallery": (80, 2**64 - 1), "relevance": "position", "ties": "workbench"}, ["sift"], "ranking pairs"),
    "workbench tasks": ({"workbench": ("count", 0, 1, 42)}, ["sift", "raw", "strong"], "tasks"),
    "workbench tasks with distractors": ({"workbench": ("count", 2, 15, 5)}, ["sift", "raw"], "tasks"),
    "workbench tasks without hard negatives": ({"workbench": ("ignore", 10, 100, 6), "tolerance": 5}, ["rootsift"], "tasks"),
    "bojanic": ({"bojanic": (20, 3, 1)}, ["sift", "rootsift"], "tasks"),
    "bojanic on all keypoints": ({"bojanic": (0, 1, 9)}, ["raw"], "tasks"),
}


def scopes_of(pairs):
    scopes = {"all": pairs}
    for c in ("viewpoint", "illumination", "other"):
        own = [p for p in pairs if category(p.scene) == c]
        if own:
            scopes[c] = own
    for k in IMAGES[1:]:
        scopes[f"k:{k}"] = [p for p in pairs if p.k == k]
    for s in SCENES:
        scopes[f"scene:{s}"] = [p for p in pairs if p.scene == s]
    for p in pairs:
        scopes[f"pair:{p.scene}/1_{p.k}"] = [p]
    return scopes


def evaluate(descriptor, images, sets, e, kinds):
    rows = sets[DESCRIPTORS[descriptor][0]]
    pairs = [Pair(descriptor, s, k, images, rows, homography(s, k), e) for s in SCENES for k in IMAGES[1:]]
    for p in pairs:
        p.average = math.floor(mean([len(q.q) for q in pairs if len(q.q)]) + 0.5)
    scopes = scopes_of(pairs)
    if kinds == ["tasks"]:
        if e["bojanic"]:
            return bojanic(scopes, images, rows, *e["bojanic"])
        return workbench_tasks(scopes, images, rows, *e["workbench"])
    out = {}
    for scope, own in scopes.items():
        if scope.startswith("pair:") and "pairs" not in kinds:
            continue
        f = out[scope] = Figures()
        pooled = scope in ("all", "viewpoint", "illumination", "other")
        if "ranking" in kinds:
            ranking(f, own, macro=not scope.startswith(("scene:", "pair:")), mixed=scope == "all" or scope[:2] == "k:")
        if "matching" in kinds:
            matching(f, own, sweep=pooled)
        if "classification" in kinds and (pooled or scope.startswith("scene:")):
            classification(f, own)
    if "ranking" in kinds:
        ranks = np.ceil([r for p in pairs for r in p.ranks]).astype(int)
        out["histogram"] = np.bincount(ranks)[1:].tolist()
    return out


def main():
    warnings.simplefilter("error")
    images = load()
    sets = keypoint_sets(images)
    lines = []
    for group, (differs, descriptors, kinds) in GROUPS.items():
        e = DEFAULTS | differs
        named = []
        for d in descriptors:
            scopes = evaluate(d, images, sets, e, kinds.split())
            body = ",\n".join(f"   {json.dumps(s)}: {json.dumps(f, separators=(',', ':'))}" for s, f in scopes.items())
            named.append(f"  {json.dumps(d)}: {{\n{body}\n  }}")
        lines.append(f" {json.dumps(group)}: {{\n" + ",\n".join(named) + "\n }")
    with open("expected.json", "w") as f:
        f.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
