"""Writes presets.json: what the scripts of the presets' authors print for the
matches of the features in this folder, each script followed line by line. The matches
and ground truths are those of reference.py; robust estimates are cv2's.

Run in this folder: python3 presets.py    (NumPy, OpenCV 4.6, and what reference.py needs)

presets.json: preset -> descriptor -> scope -> metric -> value; in the preset
"gluefactory/ratio", the matches also pass a ratio test at 0.7, so that the linear
estimate, which all matches enter, succeeds; in those that end in "/few", 25 keypoints
are selected instead of more than most images have.
"""

import json

import cv2
import numpy as np

from reference import DEFAULTS, DESCRIPTORS, IMAGES, SCENES, Pair, Stream, category, evaluate, homography, keypoint_sets, load, trapezoid


def warp(points, h):
    q = np.concatenate([points, np.ones((len(points), 1))], 1) @ h.T
    return q[:, :2] / q[:, 2:]


def find(method, p0, p1, threshold, iterations, confidence):
    try:
        return cv2.findHomography(p0.astype(np.float32), p1.astype(np.float32), method, threshold, maxIters=iterations, confidence=confidence)[0]
    except cv2.error:
        return None


def corner_error(h, truth, right, bottom):
    corners = np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]], float)
    return np.linalg.norm(warp(corners, h) - warp(corners, truth), axis=1).mean()


def area(errors, t):
    """cal_error_auc of glue-factory, LoFTR and image-matching-toolbox, pose_auc of DKM."""
    errors = np.sort(errors)
    recall = (np.arange(len(errors)) + 1) / len(errors)
    errors, recall = np.r_[0.0, errors], np.r_[0.0, recall]
    last = np.searchsorted(errors, t)
    return trapezoid(np.r_[recall[:last], recall[last - 1]], x=np.r_[errors[:last], t]) / t


# Each function returns the figures of one pair: matched points, true homography, sizes.

def gluefactory(p0, p1, h, size1, size2):
    # gluefactory/geometry/homography.py, sym_homography_error
    err = (np.linalg.norm(warp(p0, h) - p1, axis=1) + np.linalg.norm(warp(p1, np.linalg.inv(h)) - p0, axis=1)) / 2
    # gluefactory/eval/utils.py, eval_homography_dlt; kornia, find_homography_dlt with weights 1
    dlt = np.inf
    if len(p0) >= 4:
        t = []
        for p in (p0, p1):
            m = p.mean(0)
            s = np.sqrt(2) / (np.linalg.norm(p - m, axis=1).mean() + 1e-8)
            t.append(np.array([[s, 0, -s * m[0]], [0, s, -s * m[1]], [0, 0, 1]]))
        (x1, y1), (x2, y2) = warp(p0, t[0]).T, warp(p1, t[1]).T
        one, nil = np.ones(len(x1)), np.zeros(len(x1))
        ax = np.stack([nil, nil, nil, -x1, -y1, -one, y2 * x1, y2 * y1, y2], 1)
        ay = np.stack([x1, y1, one, nil, nil, nil, -x2 * x1, -x2 * y1, -x2], 1)
        a = np.concatenate([ax, ay], 1).reshape(-1, 9)
        x = np.linalg.solve(a.T @ a, np.ones(9)).reshape(3, 3)
        dlt = corner_error(np.linalg.inv(t[1]) @ x @ t[0], h, *size1)
    # gluefactory/robust_estimators/homography/opencv.py
    m = find(cv2.RANSAC, p0, p1, 0.5, 3000, 0.995)
    return {
        "prec@1px": np.mean(err < 1) if len(err) else 0.0, "prec@3px": np.mean(err < 3) if len(err) else 0.0, "num_matches": len(p0),
        "H_error_dlt": dlt, "H_error_ransac": np.inf if m is None else corner_error(m, h, *size1),
    }


def gluefactory_summary(r):
    out = {"symmetric_precision_median@1": np.median(r["prec@1px"]), "symmetric_precision_median@3": np.median(r["prec@3px"]), "matches_per_pair_median": np.median(r["num_matches"])}
    for t in (1, 3, 5):
        out[f"dlt_scored_system_wh_homography_auc@{t}"] = area(r["H_error_dlt"], t)
        out[f"ransac_0.5px_3000it_opencv_wh_homography_auc@{t}"] = area(r["H_error_ransac"], t)
    return out


def d2net(p0, p1, h, size1, size2):
    dist = np.sqrt(np.sum((p1 - warp(p0, h)) ** 2, 1)) if len(p0) else np.array([np.inf])
    return {"n_matches": len(p0)} | {f"mma@{t}": np.mean(dist <= t) for t in range(1, 11)}


def d2net_summary(r):
    return {"matches_per_pair": np.mean(r["n_matches"])} | {f"mma@{t}": np.mean(r[f"mma@{t}"]) for t in range(1, 11)}


def matching_toolbox(p0, p1, h, size1, size2):
    m = find(cv2.RANSAC, p0, p1, 2, 2000, 0.995)
    return d2net(p0, p1, h, size1, size2) | {"dist": np.inf if m is None else corner_error(m, h, size1[0] - 1, size1[1] - 1)}


def matching_toolbox_summary(r):
    out = {"matches_per_pair": np.mean(r["n_matches"])}
    for t in (1, 3, 5, 10):
        out[f"mma@{t}"] = np.mean(r[f"mma@{t}"])
        out[f"ransac_2px_opencv_homography_accuracy@{t}"] = np.mean([float(d <= t) for d in r["dist"]])
        out[f"ransac_2px_opencv_homography_auc@{t}"] = area(r["dist"], t)
    return out


def topicfm(p0, p1, h, size1, size2):
    # immatch/utils/hpatches_helper.py of TruongKhang/image-matching-toolbox, --h_solver cv --ransac_thres 6
    m = find(cv2.USAC_MAGSAC, p0, p1, 6, 10000, 0.99999)
    return d2net(p0, p1, h, size1, size2) | {"dist": np.inf if m is None else corner_error(m, h, size1[0] - 1, size1[1] - 1)}


def topicfm_summary(r):
    return {m.replace("ransac_2px_opencv", "magsac_6px_10000it"): v for m, v in matching_toolbox_summary(r).items()}


def loftr(p0, p1, h, size1, size2):
    m = find(cv2.RANSAC, p0, p1, 3.0, 2000, 0.995)
    return {"n": len(p0), "dist": np.inf if m is None else corner_error(m, h, size1[0] - 1, size1[1] - 1)}


def loftr_summary(r):
    return {"matches_per_pair": np.mean(r["n"])} | {f"ransac_opencv_homography_auc@{t}": area(r["dist"], t) for t in (3, 5, 10)}


def dkm(p0, p1, h, size1, size2):
    w1, h1 = size1
    w2, h2 = size2
    m = find(cv2.RANSAC, p0, p1, 3 * min(w2, h2) / 480, 2000, 0.99999)
    if m is None:
        m = np.zeros((3, 3))
        m[2, 2] = 1.0
    return {"n": len(p0), "dist": corner_error(m, h, w1 - 1, h1 - 1) / (min(w2, h2) / 480.0)}


def dkm_summary(r):
    return {"matches_per_pair": np.mean(r["n"])} | {f"ransac_3px480_0.99999c_opencv_e480_homography_auc@{t}": area(r["dist"], t) for t in (3, 5, 10)}


def dad(p0, p1, h, size1, size2, scene, k):
    """With cv2 in the place of PoseLib, and a permutation of its own for each run."""
    homog_dists = []
    order = np.lexsort((p1[:, 1], p1[:, 0], p0[:, 1], p0[:, 0]))  # no longer that of the queries
    p0, p1 = p0[order], p1[order]
    for i in range(5):
        shuffling = Stream(1, "shuffled matches", scene, k, i).sample(len(p0), len(p0))
        m = find(cv2.USAC_ACCURATE, p0[shuffling], p1[shuffling], 2.0, 2000, 0.995)
        homog_dists.append(np.inf if m is None else corner_error(m, h, size1[0] - 1, size1[1] - 1) / (min(size2) / 480.0))
    return {"n": len(p0), "dist": homog_dists}


def dad_summary(r):
    return {"matches_per_pair": np.mean(r["n"])} | {f"usac_accurate_2px_5x_e480_homography_auc@{t}": area(r["dist"].ravel(), t) for t in (3, 5, 10)}


def alike(p0, p1, h, size1, size2):
    # hseq/eval.py, benchmark_features
    m = find(cv2.RANSAC, p0, p1, 3, 2000, 0.995)
    dist = np.inf if m is None else corner_error(m, h, size1[0] - 1, size1[1] - 1)
    return d2net(p0, p1, h, size1, size2) | {f"mha@{t}": float(dist <= t) for t in (1, 3)}


def alike_summary(r):
    out = {"matches_per_pair": np.mean(r["n_matches"])} | {f"mma@{t}": np.mean(r[f"mma@{t}"]) for t in (1, 2, 3)}
    return out | {f"ransac_opencv_homography_accuracy@{t}": np.mean(r[f"mha@{t}"]) for t in (1, 3)}


def xfeat(p0, p1, h, size1, size2):
    # evaluation/HPatch_evaluation.py of LiftFeat, benchmark_features
    m = find(cv2.USAC_MAGSAC, p0, p1, 3, 2000, 0.995)
    dist = np.inf if m is None else corner_error(m, h, size1[0] - 1, size1[1] - 1)
    return {"n": len(p0)} | {f"mha@{t}": float(dist <= t) for t in (3, 5, 7)}


def xfeat_summary(r):
    return {"matches_per_pair": np.mean(r["n"])} | {f"magsac_2000it_0.995c_homography_accuracy@{t}": np.mean(r[f"mha@{t}"]) for t in (3, 5, 7)}


def posebench(p0, p1, h, size1, size2):
    m = find(cv2.RANSAC, p0, p1, 3, 10000, 0.999999) if len(p0) >= 4 else None
    return {"n": len(p0), "dist": np.inf if m is None else corner_error(m, h, *size1)}


def posebench_summary(r):
    return {"matches_per_pair": np.mean(r["n"])} | {f"ransac_10000it_0.999999c_opencv_wh_homography_accuracy@{t}": np.mean(r["dist"] <= t) for t in (1, 3, 5)}


def keep_shared_points(points, response, h, shape, k):
    """Rows of superpoint/evaluations/descriptor_evaluation.py, with positions as they are;
    of equal responses the first ones."""
    to = warp(points, h)
    rows = np.flatnonzero((to[:, 0] >= 0) & (to[:, 0] < shape[0]) & (to[:, 1] >= 0) & (to[:, 1] < shape[1]))
    return np.sort(rows[np.argsort(-response[rows], kind="stable")[:k]])


def superpoint(p0, p1, h, size1, size2):
    # compute_homography
    m = find(cv2.RANSAC, p0, p1, 3, 2000, 0.995)
    dist = np.inf if m is None else corner_error(m, h, size1[0] - 1, size1[1] - 1)
    return {f"correct@{t}": float(dist <= t) for t in (1, 3, 5)}


def superpoint_summary(r):
    return {f"ransac_opencv_homography_accuracy@{t}": np.mean(r[f"correct@{t}"]) for t in (1, 3, 5)}


def superpoint_repeatability(points, warped, h):
    # detector_evaluation.py, compute_repeatability
    true_warped = warp(points, h)
    norm = np.linalg.norm(true_warped[:, None] - warped[None], axis=2)
    n1, n2 = len(true_warped), len(warped)
    count1 = np.sum(np.min(norm, axis=1) <= 3) if n2 else 0
    count2 = np.sum(np.min(norm, axis=0) <= 3) if n1 else 0
    return {"repeatability": (count1 + count2) / (n1 + n2) if n1 + n2 else np.nan}


def superpoint_repeatability_summary(r):
    return {"repeatability@3": np.nanmean(r["repeatability"])}


# HSequences_bench/tools of axelBarroso/Key.Net. Points are rows of x, y, radius, response.

def create_common_region_masks(h_dst_2_src, shape_src, shape_dst):
    def remove_borders(image, borders=15):
        new = np.zeros_like(image)
        new[borders:image.shape[0] - borders, borders:image.shape[1] - borders] = image[borders:image.shape[0] - borders, borders:image.shape[1] - borders]
        return new
    inv_h = np.linalg.inv(h_dst_2_src)
    inv_h = inv_h / inv_h[2, 2]
    mask_src = cv2.warpPerspective(remove_borders(np.ones(shape_dst)), h_dst_2_src, (shape_src[1], shape_src[0]))
    mask_dst = cv2.warpPerspective(remove_borders(np.ones(shape_src)), inv_h, (shape_dst[1], shape_dst[0]))
    return [remove_borders(np.where(m >= 0.75, 1.0, 0.0)) for m in (mask_src, mask_dst)]


def check_common_points(x, y, mask):
    return np.array([i for i in range(len(x)) if mask[int(round(y[i])), int(round(x[i]))]], int)


def apply_homography_to_points(points, h):
    new_points = []
    for point in points:
        new_point = h.dot([point[0], point[1], 1.0])
        tmp = point[2] ** 2 + np.finfo(np.float32).eps
        Mi1_inv = np.linalg.inv([[1 / tmp, 0], [0, 1 / tmp]])
        Aff = getAff(point[0], point[1], h)
        e, _ = np.linalg.eig(np.linalg.inv(np.dot(Aff, np.dot(Mi1_inv, Aff.T))))
        new_points.append([new_point[0] / new_point[2], new_point[1] / new_point[2], 1 / ((e[0] * e[1]) ** 0.5) ** 0.5])
    return np.array(new_points)


def getAff(x, y, H):
    w = H[2, 0] * x + H[2, 1] * y + H[2, 2]
    return np.array([[H[i, j] / w - (H[i, 0] * x + H[i, 1] * y + H[i, 2]) * H[2, j] / w ** 2 for j in (0, 1)] for i in (0, 1)])


def intersection_area(R, r, d):
    if d <= abs(R - r):
        return np.pi * min(R, r) ** 2
    if d >= r + R:
        return 0
    r2, R2, d2 = r ** 2, R ** 2, d ** 2
    alpha = np.arccos((d2 + r2 - R2) / (2 * d * r))
    beta = np.arccos((d2 + R2 - r2) / (2 * d * R))
    return r2 * alpha + R2 * beta - 0.5 * (r2 * np.sin(2 * alpha) + R2 * np.sin(2 * beta))


def compute_repeatability(src, dst, overlap_err=1 - 0.6, eps=1e-6, dist_match_thresh=5, radious_size=30.0):
    possible_matches = 0
    overlaps, overlaps_single = np.zeros((len(src), len(dst))), np.zeros((len(src), len(dst)))
    for i, ref in enumerate(src):
        found_possible_match = False
        for j, other in enumerate(dst):
            distance = ((ref[0] - other[0]) ** 2 + (ref[1] - other[1]) ** 2) ** 0.5
            if distance <= dist_match_thresh and not found_possible_match:
                found_possible_match = True
                possible_matches += 1
            if distance > 4 * radious_size:
                continue
            factor = radious_size / (max(ref[2], other[2]) + np.finfo(float).eps)
            for matrix, R, r in ((overlaps, factor * ref[2], factor * other[2]), (overlaps_single, radious_size, radious_size)):
                I = intersection_area(R, r, distance)
                matrix[i, j] = I / (np.pi * R ** 2 + np.pi * r ** 2 - I + eps)
    out = {"possible_matches": possible_matches, "total_num_points": min(len(src), len(dst))}
    for scale, matrix in (("multi", overlaps), ("single", overlaps_single)):
        y_visited, x_visited = np.zeros(len(src), bool), np.zeros(len(dst), bool)
        found, error = 0, 0.0
        for index in (-1 * matrix).flatten().argsort(kind="stable"):
            y, x = divmod(index, len(dst))
            if x_visited[x] or y_visited[y]:
                continue
            if matrix[y, x] < 1 - overlap_err:
                break
            found, error = found + 1, error + 1 - matrix[y, x]
            x_visited[x] = y_visited[y] = True
        out[f"rep_{scale}_scale"] = found / out["total_num_points"]
        out[f"error_overlap_{scale}_scale"] = error / (found + np.finfo(float).eps) if found else 0.0
    return out


def keynet(p, h):
    # hsequeces_bench.py; p is a Pair of the selected keypoints
    h_dst_2_src = np.linalg.inv(h)
    h_dst_2_src = h_dst_2_src / h_dst_2_src[2, 2]
    src = np.stack([p.x1, p.y1, p.one.size[p.q]], 1)
    if len(src) == 0 or len(p.xk) == 0:  # the script stops
        return {"num_mutual_corresp": 0}
    dst = apply_homography_to_points(np.stack([p.xk, p.yk, p.other.size[p.c]], 1), h_dst_2_src)
    rep = compute_repeatability(src, dst)
    matches = np.flatnonzero(p.matched)
    dist = np.sqrt(np.sum((src[matches, :2] - dst[p.nearest[matches], :2]) ** 2, 1))
    score = {t: np.sum(np.where(dist < t, 1.0, 0.0)) for t in range(1, 11)}
    return rep | {f"mma@{t}": score[t] / rep["total_num_points"] for t in score} | {
        "mma_corr": score[5] / (rep["possible_matches"] + 1e-6), "num_matches": score[5], "num_mutual_corresp": len(matches),
        "avg_mma": np.mean([score[t] / rep["total_num_points"] for t in score]),
    }


def keynet_summary(r):
    names = {
        "keynet_repeatability": "rep_multi_scale", "keynet_repeatability_single_scale": "rep_single_scale",
        "keynet_overlap_error": "error_overlap_multi_scale", "keynet_overlap_error_single_scale": "error_overlap_single_scale",
        "keynet_match_recall@5": "mma_corr", "keynet_correct_matches@5": "num_matches", "matches_per_pair": "num_mutual_corresp",
        "keynet_matching_score_mean": "avg_mma", "keynet_keypoints": "total_num_points",
    } | {f"keynet_matching_score@{t}": f"mma@{t}" for t in range(1, 11)}
    return {ours: np.mean(r[theirs]) for ours, theirs in names.items()}


# The number of keypoints that are selected for a pair.
SELECTED = {"keynet": 1000, "keynet/few": 25, "superpoint": 1000, "superpoint_repeatability": 300, "superpoint/few": 25, "superpoint_repeatability/few": 25}

PRESETS = {
    "gluefactory": (gluefactory, gluefactory_summary), "gluefactory/ratio": (gluefactory, gluefactory_summary), "d2net": (d2net, d2net_summary),
    "matching_toolbox": (matching_toolbox, matching_toolbox_summary), "topicfm": (topicfm, topicfm_summary), "loftr": (loftr, loftr_summary),
    "dkm": (dkm, dkm_summary), "dad": (dad, dad_summary), "alike": (alike, alike_summary), "xfeat": (xfeat, xfeat_summary), "posebench": (posebench, posebench_summary),
    "superpoint": (superpoint, superpoint_summary), "superpoint/few": (superpoint, superpoint_summary),
    "superpoint_repeatability": (superpoint_repeatability, superpoint_repeatability_summary),
    "superpoint_repeatability/few": (superpoint_repeatability, superpoint_repeatability_summary),
    "keynet": (keynet, keynet_summary), "keynet/few": (keynet, keynet_summary),
}


def main():
    images = load()
    sets = keypoint_sets(images)
    out = {}
    for descriptor in ("sift", "raw"):
        rows = sets[DESCRIPTORS[descriptor][0]]
        results = {name: [] for name in PRESETS}
        for s in SCENES:
            for k in IMAGES[1:]:
                h = homography(s, k)
                for name, (pair, _) in PRESETS.items():
                    if pair == posebench and descriptor == "raw":
                        continue  # a cosine is that of rows of length 1
                    matcher = {"cross_check": True} | ({"ratio": 0.7} if name.endswith("/ratio") else {}) | ({"min_similarity": 0.5} if pair == posebench else {})
                    of = rows
                    if name in SELECTED:
                        def chosen(i, j, h):
                            image, to, own = images[s, i], images[s, j], rows[s, i]
                            if pair == keynet:
                                mask, _ = create_common_region_masks(np.linalg.inv(h) / np.linalg.inv(h)[2, 2], (image.height, image.width), (to.height, to.width))
                                own = own[check_common_points(image.x[own], image.y[own], mask)]
                                return np.sort(own[np.argsort(-image.response[own], kind="stable")[:SELECTED[name]]])
                            points = np.stack([image.x[own], image.y[own]], 1)
                            return own[keep_shared_points(points, image.response[own], h, (to.width, to.height), SELECTED[name])]
                        of = {(s, 1): chosen(1, k, h), (s, k): chosen(k, 1, np.linalg.inv(h))}
                    p = Pair(descriptor, s, k, images, of, h, DEFAULTS | {"matcher": matcher})
                    if pair == superpoint_repeatability:
                        results[name].append((category(s), pair(np.stack([p.x1, p.y1], 1), np.stack([p.xk, p.yk], 1), h)))
                        continue
                    if pair == keynet:
                        results[name].append((category(s), keynet(p, h)))
                        continue
                    q = np.flatnonzero(p.matched)
                    p0, p1 = np.stack([p.x1[q], p.y1[q]], 1), np.stack([p.xk[p.nearest[q]], p.yk[p.nearest[q]]], 1)
                    results[name].append((category(s), pair(p0, p1, h, (p.one.width, p.one.height), (p.other.width, p.other.height), *((s, k) if pair == dad else ()))))
        # evaluations.py of DavidBoja/keypoint-algorithms-benchmark, followed in reference.py
        tasks = evaluate(descriptor, images, sets, DEFAULTS | {"bojanic": (100, 5, 1)}, ["tasks"])["all"]
        out.setdefault("bojanic", {})[descriptor] = {"all": {m: tasks[m][0] for m in ("bojanic_matching_map", "bojanic_verification_ap", "bojanic_retrieval_map")}}
        for name, (_, summary) in PRESETS.items():
            if not results[name]:
                continue
            scopes = out.setdefault(name, {}).setdefault(descriptor, {})
            for scope in ("all", "viewpoint", "illumination"):
                own = [r for c, r in results[name] if scope in ("all", c)]
                scopes[scope] = {k: float(v) for k, v in summary({k: np.array([r[k] for r in own if k in r]) for k in max(own, key=len)}).items()}
    with open("presets.json", "w") as f:
        json.dump(out, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
