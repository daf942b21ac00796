"""Writes scenes with views.txt as if somebody had read their cameras wrongly, for tests of
dataset verify.

    python3 wrong.py SCENES OUTPUT KIND

inverse     R and t are those from the camera to the world
transposed  R is transposed, t is kept
corner      the principal point is measured from the corner of the first pixel
longer      the focal lengths are 12 % longer, as those of another camera
shorter     the focal lengths are 12 % shorter
double      K is that of the image at twice the size
exchanged   each odd view has the image of the next one, and the other way round
right       nothing is wrong
5000        depth is in .png files of this unit, without depth.txt
256         the same
rays        depth is measured along the rays

The images are copied. OUTPUT/pairs_with_gt.txt has the pairs of SCENES in SuperGlue's 38 fields,
with the wrong cameras.
"""

import os
import shutil
import sys

import cv2
import numpy as np

from rooms import pair_line, view_line


def inverse(K, R, t):
    return K, R.T, -R.T @ t


def transposed(K, R, t):
    return K, R.T, t


def changed(K, R, t, scale, shift, principal):
    K = K.copy()
    K[[0, 1], [0, 1]] *= scale
    K[:2, 2] = K[:2, 2] * principal + shift
    return K, R, t


KINDS = {
    "5000": None, "256": None, "rays": None, "inverse": inverse, "transposed": transposed, "exchanged": None, "right": lambda *view: view,
    "corner": lambda *view: changed(*view, 1, 0.5, 1), "longer": lambda *view: changed(*view, 1.12, 0, 1),
    "shorter": lambda *view: changed(*view, 0.88, 0, 1), "double": lambda *view: changed(*view, 2, 0.5, 2),
}


def read(path):
    """The lines of a views.txt: name, (K, R, t), size."""
    views = []
    with open(path) as file:
        for line in file:
            name, *fields = line.split()
            values = np.float64(fields[:12] + fields[15:])
            fx, fy, cx, cy = values[12:]
            views.append((name, (np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]]), values[:9].reshape(3, 3), values[9:12]), [int(n) for n in fields[13:15]]))
    return views


def main():
    source, output, kind = sys.argv[1:]
    lines = []
    for scene in sorted(os.listdir(source)):
        if not os.path.isdir(os.path.join(source, scene)):
            continue
        shutil.copytree(os.path.join(source, scene), os.path.join(output, scene))
        views = read(os.path.join(source, scene, "views.txt"))
        names = [name for name, _, _ in views]
        if kind == "exchanged":
            for i in range(0, len(names) - 1, 2):
                names[i], names[i + 1] = names[i + 1], names[i]
            views = [(name, view, size) for name, (_, view, size) in zip(names, views)]
        elif KINDS[kind] is None:
            for name, (K, _, _), (w, h) in views:
                path = os.path.join(output, scene, "depth", name[:-4] + ".npy")
                x, y = np.meshgrid((np.arange(w) - K[0, 2]) / K[0, 0], (np.arange(h) - K[1, 2]) / K[1, 1])
                if kind == "rays":
                    np.save(path, np.float32(np.load(path) * np.sqrt(x * x + y * y + 1)))
                else:
                    cv2.imwrite(path[:-4] + ".png", np.uint16(np.load(path) * int(kind)))
                    os.remove(path)
        else:
            views = [(name, KINDS[kind](*view), size) for name, view, size in views]
        with open(os.path.join(output, scene, "views.txt"), "w") as file:
            file.writelines(view_line(*view) for view in views)
        cameras = {name: view for name, view, _ in views}
        with open(os.path.join(output, scene, "pairs.txt")) as file:
            for a, b in map(str.split, file):
                lines.append(pair_line([scene + "/" + a, scene + "/" + b], (0, 0), cameras[a], cameras[b]))
    with open(os.path.join(output, "pairs_with_gt.txt"), "w") as file:
        file.writelines(lines)


if __name__ == "__main__":
    main()
