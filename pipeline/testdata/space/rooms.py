"""Renders pairs of images of rooms with boxes in them, with exactly known cameras, for tests of
relative pose: wide baselines, rotations of 5 to 40 degrees, occlusion, and no plane that explains
a pair. Focal lengths differ between images and between x and y.

    python3 rooms.py OUTPUT [--places 3] [--views 8] [--pairs 10] [--seed 1] [--turned] [--depth]

OUTPUT/room_1/01.png, ...   grey images, 640x480
OUTPUT/room_1/views.txt     a line per image: NAME, R and t (camera from world), PINHOLE w h fx fy cx cy
OUTPUT/room_1/pairs.txt     a line per pair: two names
OUTPUT/room_1/depth/01.npy  with --depth: z of every pixel's centre in metres, float32
OUTPUT/pairs_with_gt.txt    the same pairs in the 38 fields of SuperGlue's lists

With --turned, image i is stored turned by i quarter turns, and the list says how many turns of
np.rot90 make it upright. Then views.txt has the cameras of the images as they are stored, and so
has the list, as in SuperGlue's.

The centre of the first pixel is at (0, 0). The same arguments give the same cameras everywhere,
and the same images with the same OpenCV. Imports NumPy and OpenCV only.
"""

import argparse
import itertools
import os

import cv2
import numpy as np

W, H = 640, 480
TEXELS = 220  # per metre: 3 m away, a pixel covers 1.2 of them
SAMPLES = 3  # rays per pixel and axis


def rotation(vector):
    return cv2.Rodrigues(np.float64(vector))[0]


def texture(random, width, height):
    """Noise of all scales and shapes of 2 to 40 cm."""
    w, h = int(width * TEXELS), int(height * TEXELS)
    image = np.full((h, w), random.uniform(90, 165), np.float32)
    for k in range(1, 7):
        noise = random.normal(0, 14, ((h >> k) + 2, (w >> k) + 2)).astype(np.float32)
        image += cv2.resize(noise, (w, h), interpolation=cv2.INTER_CUBIC)
    for _ in range(int(30 * width * height) + 3):
        centre, size = random.uniform((0, 0), (w, h)), TEXELS * 0.02 * 20 ** random.uniform() / 2
        angles = np.sort(random.uniform(0, 2 * np.pi, random.randint(3, 7)))
        corners = centre + size * random.uniform(0.5, 1, (len(angles), 1)) * np.stack([np.cos(angles), np.sin(angles)], 1)
        shape = np.zeros_like(image)
        cv2.fillPoly(shape, [np.int32(corners * 16)], 1, cv2.LINE_8, 4)
        image += shape * (random.uniform(20, 235) - image) * random.uniform(0.6, 1)
    return cv2.GaussianBlur(image, (0, 0), 0.8)


def face(random, origin, along, down):
    """A textured parallelogram with a right angle: a corner and two edges, in metres."""
    return origin, along, down, texture(random, np.linalg.norm(along), np.linalg.norm(down))


def room(random):
    """The faces of a room of 6 by 2.8 by 6 m and of the boxes in its far part; y points down."""
    x, y, z = np.diag([6.0, 2.8, 6.0])
    o = np.array([-3, -1.4, 0])
    faces = [face(random, *f) for f in ((o + z, x, y), (o, z, y), (o + x, z, y), (o, x, z), (o + y, x, z))]
    for i in range(9):
        size = random.uniform(0.35, 1.0, 3)
        turn = rotation((0, random.uniform(0, np.pi), 0)) @ rotation(random.normal(0, 0.15, 3))
        x, y, z = (turn * size).T
        o = np.array([-2 + 0.5 * i, 1.2 - random.uniform(0.3, 2), random.uniform(2.9, 5.2)]) - (x + y + z) / 2
        faces += [face(random, *f) for f in ((o, x, y), (o + z, x, y), (o, z, y), (o + x, z, y), (o, x, z), (o + y, x, z))]
    return faces


def camera(random):
    """K, R and t of a camera in the near part of the room that looks at the boxes."""
    centre = random.uniform((-1.5, -0.7, 0.2), (1.5, 0.6, 1.6))
    target = random.uniform((-0.6, -0.3, 3.6), (0.6, 0.5, 4.4))
    ahead = (target - centre) / np.linalg.norm(target - centre)
    right = np.cross((0, 1, 0), ahead)
    right /= np.linalg.norm(right)
    R = rotation((0, 0, random.uniform(-0.2, 0.2))) @ np.stack([right, np.cross(ahead, right), ahead])
    fx = random.uniform(480, 620)
    K = np.array([[fx, 0, 319.5 + random.uniform(-12, 12)], [0, fx * random.uniform(0.96, 1.04), 239.5 + random.uniform(-12, 12)], [0, 0, 1]])
    return K, R, -R @ centre


def cast(faces, view, x, y, shade=False):
    """Follow the rays of the pixels of a grid: the inverse depth and the grey of what they meet."""
    K, R, t = view
    nearest, grey = np.zeros((len(y), len(x))), np.zeros((len(y), len(x)), np.float32)
    for origin, along, down, image in faces:
        edges = np.stack([R @ along, R @ down, R @ origin + t], 1)
        corners = edges @ np.array([[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 1]])
        part = np.s_[:, :]
        if corners[2].min() > 0.1:  # the others reach behind the camera
            u, v, _ = K @ corners / corners[2]
            part = np.s_[np.searchsorted(y, v.min()):np.searchsorted(y, v.max()), np.searchsorted(x, u.min()):np.searchsorted(x, u.max())]
        px, py = (x[part[1]] - K[0, 2]) / K[0, 0], (y[part[0], None] - K[1, 2]) / K[1, 1]
        # The ray (px, py, 1) meets the plane where origin + a along + b down = z (px, py, 1).
        a, b, inverse = (row[0] * px + row[1] * py + row[2] for row in np.linalg.inv(edges))
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = a / inverse, b / inverse
        seen = (inverse > nearest[part]) & (a >= 0) & (a <= 1) & (b >= 0) & (b <= 1)
        nearest[part][seen] = inverse[seen]
        if shade:
            grey[part][seen] = lookup(image, a[seen] * image.shape[1] - 0.5, b[seen] * image.shape[0] - 0.5)
    return nearest, grey


def lookup(image, u, v):
    """Bilinear interpolation; the border continues."""
    h, w = image.shape
    u, v = np.clip(u, 0, w - 1.001), np.clip(v, 0, h - 1.001)
    i, j = u.astype(np.int64), v.astype(np.int64)
    u, v = u - i, v - j
    return (image[j, i] * (1 - u) + image[j, i + 1] * u) * (1 - v) + (image[j + 1, i] * (1 - u) + image[j + 1, i + 1] * u) * v


def render(faces, view):
    """The mean of the rays of each pixel."""
    def rays(n):
        return (np.arange(n * SAMPLES) + 0.5) / SAMPLES - 0.5
    grey = cast(faces, view, rays(W), rays(H), shade=True)[1]
    return np.uint8(np.clip(grey.reshape(H, SAMPLES, W, SAMPLES).mean((1, 3)), 0, 252)) & 252  # small files


def overlap(faces, a, b):
    """The share of the points of view a that view b shows."""
    x, y = np.arange(4, W, 8), np.arange(4, H, 8)
    depth = 1 / cast(faces, a, x, y)[0]
    (K0, R0, t0), (K1, R1, t1) = a, b
    x, y = np.meshgrid((x - K0[0, 2]) / K0[0, 0], (y - K0[1, 2]) / K0[1, 1])
    points = R1 @ R0.T @ (np.stack([x * depth, y * depth, depth]).reshape(3, -1) - t0[:, None]) + t1[:, None]
    u, v, _ = K1 @ points / points[2]
    inside = (points[2] > 0) & (u >= 0) & (u <= W - 1) & (v >= 0) & (v <= H - 1)
    there = 1 / cast(faces, b, np.arange(0, W, 4), np.arange(0, H, 4))[0]
    z = there[np.int64(v[inside] / 4), np.int64(u[inside] / 4)]
    return (abs(points[2][inside] / z - 1) < 0.05).sum() / inside.size


def relative(a, b):
    """T from the coordinates of view a to those of view b, 4x4."""
    T = np.eye(4)
    T[:3, :3] = b[1] @ a[1].T
    T[:3, 3] = b[2] - T[:3, :3] @ a[2]
    return T


def angle(R):
    return np.degrees(np.arccos(np.clip((np.trace(R) - 1) / 2, -1, 1)))


def numbers(*arrays):
    return " ".join(repr(float(v)) for array in arrays for v in np.ravel(array))


def view_line(name, view, size):
    K, R, t = view
    return "%s %s PINHOLE %d %d %s\n" % (name, numbers(R, t), *size, numbers(K[0, 0], K[1, 1], K[:2, 2]))


def pair_line(names, turns, a, b):
    return "%s %s %d %d %s\n" % (*names, *turns, numbers(a[0], b[0], relative(a, b)))


def turned(image, view, turns):
    """An image and its camera, turned by quarter turns against the clock, as np.rot90 does."""
    (K, R, t), size = view, image.shape[::-1]
    for _ in range(turns):
        # The pixel (x, y) of an image w px wide goes to (y, w - 1 - x), and so do the camera's axes.
        quarter = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1.0]])
        K = np.array([[K[1, 1], 0, K[1, 2]], [0, K[0, 0], size[0] - 1 - K[0, 2]], [0, 0, 1]])
        R, t, size = quarter @ R, quarter @ t, size[::-1]
    return np.rot90(image, turns), (K, R, t)


def place(options, number):
    """Render a place; return its lines of the list."""
    random = np.random.RandomState(1000 * options.seed + number)  # whose numbers are the same in every NumPy
    faces, views = room(random), [camera(random) for _ in range(options.views)]
    pairs = [(i, k) for i, k in itertools.combinations(range(options.views), 2) if 5 <= angle(relative(views[i], views[k])[:3, :3]) <= 40
             and min(overlap(faces, views[i], views[k]), overlap(faces, views[k], views[i])) >= 0.25]
    if len(pairs) < options.pairs:
        raise SystemExit("rooms.py: place %d: %d pairs of %d views have a rotation of 5 to 40 degrees and overlap, want %d; give more --views" % (
            number, len(pairs), options.views, options.pairs))
    pairs = [pairs[i] for i in sorted(random.permutation(len(pairs))[:options.pairs])]
    folder = os.path.join(options.output, "room_%d" % number)
    os.makedirs(os.path.join(folder, "depth") if options.depth else folder, exist_ok=True)
    world = rotation(random.normal(0, 1, 3)), random.uniform(-5, 5, 3)  # of the files: none is near the identity
    names, turns, stored = [], [], []
    for i, view in enumerate(views):
        names.append("%02d.png" % (i + 1))
        turns.append(i % 4 if options.turned else 0)
        image, (K, R, t) = turned(render(faces, view), view, turns[i])
        stored.append((K, R @ world[0], R @ world[1] + t, image.shape[::-1]))
        cv2.imwrite(os.path.join(folder, names[i]), image, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        if options.depth:
            z = 1 / cast(faces, view, np.arange(W), np.arange(H))[0]
            np.save(os.path.join(folder, "depth", names[i][:-4] + ".npy"), np.rot90(z, turns[i]).astype(np.float32))
    with open(os.path.join(folder, "views.txt"), "w") as file:
        file.writelines(view_line(name, view[:3], view[3]) for name, view in zip(names, stored))
    with open(os.path.join(folder, "pairs.txt"), "w") as file:
        file.writelines("%s %s\n" % (names[i], names[k]) for i, k in pairs)
    return [pair_line(["room_%d/%s" % (number, names[j]) for j in (i, k)], [-turns[j] % 4 for j in (i, k)], stored[i], stored[k]) for i, k in pairs]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("--places", type=int, default=3)
    parser.add_argument("--views", type=int, default=8, help="of each place")
    parser.add_argument("--pairs", type=int, default=10, help="of each place")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--depth", action="store_true")
    options = parser.parse_args()
    lines = [line for number in range(1, options.places + 1) for line in place(options, number)]
    with open(os.path.join(options.output, "pairs_with_gt.txt"), "w") as file:
        file.writelines(lines)


if __name__ == "__main__":
    main()
