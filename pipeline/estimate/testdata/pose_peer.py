"""The poses of pairs by Debian's cv2, as magicleap/SuperGluePretrainedNetwork estimates them
(models/utils.py, estimate_pose): findEssentialMat, and recoverPose for each matrix. Prints the
processor seconds.

Usage: pose_peer.py MATCHES

MATCHES holds 500 matches of each pair: x and y in image 1 and in the other one, float32. The cameras
are those of essential.py."""
import sys
import time

import cv2
import numpy as np

K0, K1 = (700, 760, 320, 240), (900, 820, 400, 300)
pairs = np.fromfile(sys.argv[1], "f4").reshape(-1, 500, 2, 2)
cv2.setNumThreads(1)

start = time.process_time()
for pair in pairs:
    first, other = ((pair[:, i] - k[2:]) / k[:2] for i, k in enumerate((K0, K1)))
    found, mask = cv2.findEssentialMat(first, other, np.eye(3), threshold=1 / np.mean(K0[:2] + K1[:2]), prob=.99999, method=cv2.RANSAC)
    for matrix in np.split(found, len(found) // 3):
        cv2.recoverPose(matrix, first, other, np.eye(3), 1e9, mask=mask)
print(time.process_time() - start)
