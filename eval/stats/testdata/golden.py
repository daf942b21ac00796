"""Prints values that the tests of this package expect, from the descriptions of
package random and of this one alone: PCG DXSM keyed by SHA-256, Lemire's bounded
draw, percentiles by linear interpolation.

Run: python3 golden.py
"""

import hashlib

MASK64 = 2**64 - 1


class Stream:
    def __init__(self, *parts):
        key = b""
        for part in parts:
            text = str(part).encode()
            key += len(text).to_bytes(8, "big") + text
        self.state = int.from_bytes(hashlib.sha256(key).digest()[:16], "big")

    def uint64(self):
        self.state = (self.state * 0x2360ED051FC65DA44385DF649FCCF645
                      + 0x5851F42D4C957F2D14057B7EF767814F) % 2**128
        high, low = self.state >> 64, self.state & MASK64
        high ^= high >> 32
        high = high * 0xDA942042E4DD58B5 & MASK64
        high ^= high >> 48
        return high * (low | 1) & MASK64

    def below(self, n):
        while True:
            product = self.uint64() * n
            if product % 2**64 >= 2**64 % n:
                return product // 2**64


def times(seed, scenes, resample):
    stream = Stream(seed, "bootstrap", scenes, resample)
    out = [0] * scenes
    for _ in range(scenes):
        out[stream.below(scenes)] += 1
    return out


def interval(values):
    values = sorted(values)

    def quantile(q):
        at = q * (len(values) - 1)
        i = int(at)
        return values[i] + (at - i) * (values[min(i + 1, len(values) - 1)] - values[i])

    return quantile(0.025), quantile(0.975)


def weighted(weights, values):
    return sum(w * v for w, v in zip(weights, values))


def sign_flips(seed, differences):
    stream = Stream(seed, "sign flips", len(differences))
    observed = abs(sum(differences))
    count = 0
    for _ in range(100_000):
        signs = sum(stream.uint64() << 64 * word for word in range((len(differences) + 63) // 64))
        total = sum(-d if signs >> i & 1 else d for i, d in enumerate(differences))
        count += abs(total) >= observed
    return (1 + count) / 100_001


def exact_sign_flips(differences):
    """From the distribution of sums, built up one whole number after the other."""
    sums = {0: 1}
    for d in differences:
        following = {}
        for total, patterns in sums.items():
            for t in (total + d, total - d):
                following[t] = following.get(t, 0) + patterns
        sums = following
    observed = abs(sum(differences))
    return sum(p for total, p in sums.items() if abs(total) >= observed) / 2 ** len(differences)


for r in (0, 1, 2, 9999):
    print("seed 1, 5 scenes, resample", r, times(1, 5, r))
drawn = [times(1, 5, r) for r in range(10_000)]
figures = [0.31, 0.52, 0.44, 0.78, 0.6]
print("mean", interval([weighted(t, figures) / 5 for t in drawn]))
print("mean, first 1000", interval([weighted(t, figures) / 5 for t in drawn[:1000]]))
sums, counts = [3.1, 10.4, 2.2, 7.8, 0.6], [10, 20, 5, 10, 1]
print("ratio", interval([weighted(t, sums) / weighted(t, counts) for t in drawn]))

differences = [3, -1, 4, 1, -5, 9, 2, 6, -5, 3, 5, 8, -9, 7, 9, 3, -2, 3, 8, 4, -6, 2, 6, 4]
print("24 scenes, seed 7", sign_flips(7, differences), "exact", exact_sign_flips(differences))
twenty = differences[:20]
print("20 scenes, exact", exact_sign_flips(twenty), exact_sign_flips(twenty) * 2**20)
seventy = (differences * 3)[:70]
seventy = [d if i % 3 else -d for i, d in enumerate(seventy)]
print("70 scenes, exact", exact_sign_flips(seventy))
for n, of in ((24, differences), (64, seventy[:64]), (70, seventy)):
    print(n, "scenes, seed 1", sign_flips(1, of))
