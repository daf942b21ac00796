"""Writes the archives of this folder with NumPy (1.24 here), as the programs do
whose features are imported.

Run in this folder: python3 make.py
"""

import numpy as np

# As D2-Net's extract_features.py writes them: x, y and the reduction; no .npz
# behind the name.
keypoints = np.array([[10.5, 20.25, 1], [0, 479, 2], [639, 0.125, 0.5]])
scores = np.array([0.75, 0.5, 0.25])
rows = np.array([[1, 0, -0.5], [0.25, np.nan, 1], [0.1, 0.5, 1e39]])  # 1e39 is infinite in float32
with open("1.ppm.d2-net", "wb") as f:
    np.savez(f, keypoints=keypoints.astype(np.float32), scores=scores.astype(np.float32),
             descriptors=np.array([[1, 0, -0.5], [0.25, np.nan, 1], [0.1, 0.5, 0]], np.float32))

# [[1, 0, -0.5], [0.25, nan, 1], [0.1, 0.5, 1e39]] in every form.
xy = keypoints[:, :2]
np.savez_compressed("compressed.npz", keypoints=xy, descriptors=rows)
np.savez("fortran.npz", keypoints=np.asfortranarray(xy), descriptors=np.asfortranarray(rows))
np.savez("big_endian.npz", keypoints=xy.astype(">f4"), descriptors=rows.astype(">f8"))
half = rows.copy()
half[2, 2] = np.inf
np.savez("half.npz", keypoints=xy, descriptors=half.astype(np.float16))

# Bytes: a descriptor of integers, or of bits; and other integers.
small = np.array([[0, 255, 7], [0, 0, 0], [1, 2, 3]])
np.savez("bytes.npz", keypoints=xy, descriptors=small.astype(np.uint8))
np.savez("bytes_fortran.npz", keypoints=xy, descriptors=np.asfortranarray(small.astype(np.uint8)))
np.savez("int64.npz", keypoints=xy, descriptors=small, image_size=np.array([640, 480]))

# What is refused.
np.savez("objects.npz", keypoints=xy, descriptors=np.array([[1, None, "a"]] * 3, dtype=object))
np.save("single.npy", rows)
