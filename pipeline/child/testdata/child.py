"""A program for tests, written from docs/protocol.md and without descbench.py.

    child.py MODE [FILE]

Its rows are the colours of pixels. MODE says how it misbehaves; good: not at all. Each
process that has said hello adds its number to FILE.
"""

import json
import os
import re
import signal
import struct
import sys
import time

mode, file = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
frames_in, frames_out = sys.stdin.buffer, sys.stdout.buffer


def tell(text):
    print(text, file=sys.stderr, flush=True)


def part():
    length = frames_in.read(4)
    if len(length) < 4:
        sys.exit()
    return frames_in.read(struct.unpack("<I", length)[0])


def write(header, **arrays):
    for text in [json.dumps({**header, "arrays": list(arrays)}).encode(), *arrays.values()]:
        frames_out.write(struct.pack("<I", len(text)) + text)
    frames_out.flush()


def array(npy):
    """The shape and the elements of an .npy."""
    end = 10 + struct.unpack("<H", npy[8:10])[0]
    shape = re.search(rb"'shape': \(([^)]*)\)", npy[10:end])[1]
    return [int(n) for n in shape.split(b",") if n.strip()], npy[end:]


def npy(values, rows, columns, descr="<f4"):
    """A matrix of float32 or bytes in version 1.0 of the format."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    return b"\x93NUMPY\x01\x00\x76\x00" + f"{header:117}\n".encode() + struct.pack(f"<{len(values)}{descr[1]}".replace("u", "B"), *values)


def rows(calls, arrays):
    """Two numbers for each patch; for each keypoint, its pixel's colours and its size."""
    if "patches" in arrays:
        n = array(arrays["patches"])[0][0] - (mode == "batch")
        return npy([1, {"changed": 3, "noisy": 9 + calls}.get(mode, 2)] * n, n, 2, "|u1" if mode in ("bits", "bytes") else "<f4")
    (_, width, _), pixels = array(arrays["image"])
    (n, _), points = array(arrays["keypoints"])
    values = []
    for x, y, size, _ in struct.iter_unpack("<4f", points):
        at = 3 * (int(y) * width + int(x))
        change = {"nan": float("nan"), "noisy": calls, "late": max(0, calls - 7), "changed": 1, "same": 1e6, "half": float("nan") if len(values) % 8 else 0, "gpus": int(os.environ["DESCBENCH_INSTANCE"])}.get(mode, 0)
        values += [v + change for v in pixels[at : at + 3]] + [size]
    return npy(values, 2 * n, 2) if mode == "shape" else npy(values, n, 4)


tell("loading weights")
if mode == "exit":
    tell("no weights.pth")
    sys.exit(3)
elif mode == "unserved":  # its last line is missing
    sys.exit()
elif mode == "closes":
    os.close(1)
    time.sleep(60)
elif mode == "stalls":
    time.sleep(60)
elif mode == "prints":
    print("Loading weights from the hub", flush=True)
elif mode == "megabytes":
    for _ in range(64):
        tell("x" * (1 << 16))
elif mode == "ignores":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

calls = 0
while True:
    header = json.loads(part())
    arrays = {name: part() for name in header["arrays"]}
    reply = {"id": header["id"]}
    if header["operation"] == "hello":
        if file:
            with open(file, "a") as notes:
                print(os.getpid(), file=notes)
        names = {"detect": ("nothing", "1")} if mode == "blind" else {}
        names |= {"describe": ("pixels", "3"), "patches": ("patches", "1"), "match": ("corners", "1"), "estimate": ("moves", "1")}
        functions = [{"operation": o, "name": name, "version": "" if mode == "unversioned" else version, "elements": "bits" if mode == "bits" else ""} for o, (name, version) in names.items()]
        write({**reply, "protocol": 7 if mode == "version" else 1, "functions": functions})
        continue
    calls += 1
    if mode == "die":
        tell("CUDA error")
        os._exit(5)
    elif mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif mode == "once" and not os.path.exists(file + ".died"):  # the first process dies
        open(file + ".died", "w").close()
        os._exit(1)
    elif mode in ("hang", "ignores"):
        tell("waiting for the GPU")
        time.sleep(3600)
    elif mode == "cold" and calls == 1:
        time.sleep(0.5)
    elif mode == "slow":
        time.sleep(0.05)
    elif mode == "error":
        write({**reply, "error": "ValueError: no such layer"})
        continue
    elif mode == "id":
        reply["id"] = 99
    elif mode == "noise":
        frames_out.write(b"0% done\n")
    elif mode == "huge":
        text = json.dumps({**reply, "arrays": ["descriptors"]}).encode()
        frames_out.write(struct.pack("<I", len(text)) + text + b"\xff" * 4)
        frames_out.flush()
        time.sleep(3600)
    elif mode == "empty":
        write(reply)
        continue
    if header["operation"] == "detect":
        write(reply, keypoints=npy([], 0, 2))
        continue
    if header["operation"] == "estimate":  # by so many px as the threshold and the seed say; a turn by 90°
        if mode == "none":
            write(reply)
        elif header["of"] == "pose":
            (x, _), (fx, _, _) = header["size1"], header["K0"][0]
            turn = {"mirror": -1, "skew": 1.1, "nan": float("nan")}.get(mode, 1)
            write(reply, R=npy([0, -1, 0, 1, 0, 0, 0, 0, turn], 3, 3), t=npy([x, fx, 1][: 2 if mode == "short" else 3], 1, 2 if mode == "short" else 3))
        else:
            write(reply, H=npy([1, 0, header["threshold_px"], 0, 1, header["seed"], 0, 0, 0 if mode == "singular" else 1], 3, 3))
        continue
    if header["operation"] == "match":  # positions without scores
        corner = npy([9, 9 + calls * (mode == "noisy")], 1, 2)
        corner = {"half": npy([], 0, 2), "same": npy([9, 300], 1, 2)}.get(mode, corner)
        write(reply, keypoints0=corner, keypoints1=corner)
        continue
    also = {"keypoints": npy([0, 0], 1, 2)} if mode == "moves" else {}
    write(reply, descriptors=rows(calls, arrays), **also)
