"""Writes golden.json: what package random must draw, from its description alone.

PCG DXSM: O'Neill's pcg-cpp, cm = 0xda942042e4dd58b5, with the default 128-bit
multiplier 0x2360ed051fc65da44385df649fccf645 and increment
0x5851f42d4c957f2d14057b7ef767814f; the state steps first, then is output.

Run in this folder: python3 golden.py > golden.json
"""

import hashlib
import json

MASK64, MASK128 = 2**64 - 1, 2**128 - 1


class Stream:
    def __init__(self, seed, *parts):
        key = b""
        for part in (seed, *parts):
            text = str(part).encode()
            key += len(text).to_bytes(8, "big") + text
        self.state = int.from_bytes(hashlib.sha256(key).digest()[:16], "big")

    def uint64(self):
        self.state = (self.state * 0x2360ED051FC65DA44385DF649FCCF645
                      + 0x5851F42D4C957F2D14057B7EF767814F) & MASK128
        high, low = self.state >> 64, self.state & MASK64
        high ^= high >> 32
        high = high * 0xDA942042E4DD58B5 & MASK64
        high ^= high >> 48
        return high * (low | 1) & MASK64

    def int_n(self, n):
        while True:
            product = self.uint64() * n
            if product % 2**64 >= 2**64 % n:
                return product // 2**64

    def sample(self, n, m):
        cards = list(range(n))
        for i in range(m):
            j = i + self.int_n(n - i)
            cards[i], cards[j] = cards[j], cards[i]
        return cards[:m]


KEYS = [
    (0,),
    (1,),
    (2**64 - 1, "fixed gallery", "v_dogman", 3, 1234),
    (42, "random", "i_ajuntament", 1),
    (42, "random", "i_ajuntamen", "t", 1),
    (7, "", "größe", -5),
]
BOUNDS = [1, 2, 3, 10, 580, 2**32 + 1, 2**62 + 1, 2**63 - 1]

out = []
for key in KEYS:
    out.append({
        "seed": str(key[0]),
        "parts": list(key[1:]),
        "uint64": [str(v) for s in [Stream(*key)] for v in (s.uint64() for _ in range(5))],
        "float64": [(v >> 11) / 2**53 for s in [Stream(*key)] for v in (s.uint64() for _ in range(3))],
        "bounds": [str(b) for b in BOUNDS],
        "int_n": [[str(v) for v in (s.int_n(b) for _ in range(6))] for b in BOUNDS for s in [Stream(*key)]],
        "sample_5_of_1000": Stream(*key).sample(1000, 5),
        "sample_8_of_8": Stream(*key).sample(8, 8),
    })
print(json.dumps(out, indent=1, ensure_ascii=False))
