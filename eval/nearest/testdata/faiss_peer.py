"""The two nearest of 5000 candidates for each of 5000 queries by FAISS, exactly and on one
thread. Prints the processor seconds.

Usage: faiss_peer.py FOLDER float32|bits

FOLDER holds queries and candidates: rows of 128 float32 numbers or of 256 bits."""
import sys
import time

import faiss
import numpy as np

folder, kind = sys.argv[1:]
element, length, new_index = {
    "float32": ("f4", 128, lambda: faiss.IndexFlatL2(128)),
    "bits": ("u1", 32, lambda: faiss.IndexBinaryFlat(256)),
}[kind]
queries, candidates = (np.fromfile(f"{folder}/{name}", element).reshape(-1, length) for name in ("queries", "candidates"))
faiss.omp_set_num_threads(1)

start = time.process_time()
index = new_index()
index.add(candidates)
index.search(queries, 2)
print(time.process_time() - start)
