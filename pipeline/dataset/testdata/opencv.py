"""Writes opencv.zip, small images of every kind, and opencv.txt, what OpenCV reads in each:

    python3 opencv.py

sha256 of the pixels (blue, green, red, row by row), width, height, name. Pixels come from
cv2.imdecode(..., cv2.IMREAD_COLOR) of Debian's python3-opencv 4.6.0+dfsg-12 with libjpeg-turbo
2.1.5 and libpng 1.6.39. JPEG files are written by cjpeg and jpegtran (package
libjpeg-turbo-progs), the others here, byte by byte, after the specifications of the formats.
"""
import hashlib, itertools, os, struct, subprocess, tempfile, zipfile, zlib
import cv2
import numpy as np

random = np.random.RandomState(1)
files = {}


def scene(width, height):
    """Edges, gradients and a little noise, H x W x 3, RGB."""
    y, x = np.mgrid[:height, :width]
    rgb = np.stack([7 * x + 3 * y, 255 - 5 * x + y * y // 4, 40 * ((x // 5 + y // 4) % 6)], axis=-1)
    return (rgb + random.randint(0, 12, rgb.shape)).clip(0, 255).astype(np.uint8)


# JPEG

def run(*command, data):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def ppm(rgb):
    return b"P6\n%d %d\n255\n" % (rgb.shape[1], rgb.shape[0]) + rgb.tobytes()


def without_tables(jpeg):
    """As in frames of Motion JPEG, whose Huffman tables are those of the specification."""
    out, at = jpeg[:2], 2
    while jpeg[at + 1] != 0xDA:
        length = 2 + int.from_bytes(jpeg[at + 2:at + 4], "big")
        if jpeg[at + 1] != 0xC4:
            out += jpeg[at:at + length]
        at += length
    return out + jpeg[at:]


samplings = {"4:4:4": "1x1", "4:2:2": "2x1", "4:2:0": "2x2", "4:4:0": "1x2", "4:1:1": "4x1", "4:4:1": "1x4", "4:1:0": "4x2",
             "2x4": "2x4", "red 2x2, blue 1x2, 1x1": "2x2,1x2,1x1", "1x1, 2x2, 2x1": "1x1,2x2,2x1"}
ways = {"": [], "progressive ": ["-progressive"], "restarts ": ["-restart", "1"], "arithmetic ": ["-arithmetic"], "optimised ": ["-optimize"]}
for (name, sampling), (way, flags) in itertools.product(samplings.items(), ways.items()):
    files[f"{way}{name}.jpg".replace("/", " ")] = run("cjpeg", "-quality", "70", "-sample", sampling, *flags, data=ppm(scene(45, 35)))
for width, height in [(1, 1), (2, 1), (1, 9), (16, 16), (17, 16), (16, 17), (33, 8), (3, 40)]:
    for name in ["4:4:4", "4:2:2", "4:2:0", "4:4:0", "4:1:1"]:
        files[f"{width}x{height} {name}.jpg"] = run("cjpeg", "-quality", "80", "-sample", samplings[name], data=ppm(scene(width, height)))
for quality in [1, 25, 100]:
    files[f"quality {quality}.jpg"] = run("cjpeg", "-quality", str(quality), data=ppm(scene(45, 35)))
for way, flags in ways.items():
    files[f"{way}grey.jpg"] = run("cjpeg", "-grayscale", *flags, data=ppm(scene(45, 35)))
    files[f"{way}RGB.jpg"] = run("cjpeg", "-rgb", *flags, data=ppm(scene(45, 35)))
files["restarts every row.jpg"] = run("cjpeg", "-restart", "1B", data=ppm(scene(45, 35)))
files["progressive restarts.jpg"] = run("cjpeg", "-progressive", "-restart", "2B", data=ppm(scene(45, 35)))
files["cropped.jpg"] = run("jpegtran", "-crop", "21x18+16+16", data=files["4:2:0.jpg"])
files["transposed.jpg"] = run("jpegtran", "-transpose", data=files["4:2:2.jpg"])
files["no Huffman tables.jpg"] = without_tables(files["4:2:0.jpg"])
files["no JFIF.jpg"] = files["4:2:0.jpg"][:2] + files["4:2:0.jpg"][20:]
files["16-bit quantisation.jpg"] = run("cjpeg", "-quality", "1", "-qslots", "0", data=ppm(scene(45, 35)))


# PNG (W3C, Portable Network Graphics Specification)

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(samples, depth):
    """A row of samples as bytes, most significant bit first."""
    if depth == 16:
        return samples.astype(">u2").tobytes()
    bits = np.unpackbits(samples.astype(np.uint8)[:, None], axis=1)[:, 8 - depth:]
    return np.packbits(bits.reshape(-1)).tobytes()


def filtered(rows, pixel, wanted):
    out, above = b"", bytes(len(rows[0])) if rows else b""
    for row, kind in zip(rows, itertools.cycle(wanted)):
        line = bytearray()
        for i, v in enumerate(row):
            a, b, c = row[i - pixel] if i >= pixel else 0, above[i], above[i - pixel] if i >= pixel else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line.append((v - [0, a, b, (a + b) // 2, paeth][kind]) & 255)
        out, above = out + bytes([kind]) + bytes(line), row
    return out


def png(kind, depth, width=23, height=19, interlaced=False, extra=b"", filters=(0, 1, 2, 3, 4)):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    samples = random.randint(0, 1 << depth, (height, width, channels))
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)] if interlaced else [(0, 0, 1, 1)]
    body = b""
    for x, y, dx, dy in passes:
        part = samples[y::dy, x::dx]
        if part.size:
            body += filtered([packed(row.reshape(-1), depth) for row in part], max(1, channels * depth // 8), filters)
    if kind == 3:
        extra = chunk(b"PLTE", random.randint(0, 256, 3 << depth).astype(np.uint8).tobytes()) + extra
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(body, 9)) + chunk(b"IEND", b"")


names = {0: "grey", 2: "RGB", 3: "palette", 4: "grey alpha", 6: "RGBA"}
depths = {0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]}
transparent = {0: struct.pack(">H", 1), 2: struct.pack(">HHH", 3, 4, 5), 3: b"\x00\x80"}
for kind, name in names.items():
    for depth in depths[kind]:
        for interlaced in [False, True]:
            files[f"{name} {depth}{' interlaced' * interlaced}.png"] = png(kind, depth, interlaced=interlaced)
            if kind in transparent:
                files[f"{name} {depth} tRNS{' interlaced' * interlaced}.png"] = png(kind, depth, interlaced=interlaced, extra=chunk(b"tRNS", transparent[kind]))
for width, height in [(1, 1), (1, 7), (9, 1), (3, 3)]:
    files[f"{width}x{height} interlaced.png"] = png(2, 8, width, height, True)
    files[f"{width}x{height} grey 1.png"] = png(0, 1, width, height)
files["gamma.png"] = png(2, 8, extra=chunk(b"gAMA", struct.pack(">I", 100000)))
files["sRGB.png"] = png(2, 8, extra=chunk(b"sRGB", b"\0"))
files["primaries.png"] = png(2, 8, extra=chunk(b"cHRM", struct.pack(">8I", 30000, 30000, 60000, 30000, 30000, 60000, 15000, 6000)))
files["background.png"] = png(6, 8, extra=chunk(b"bKGD", struct.pack(">HHH", 200, 100, 50)))
files["significant bits.png"] = png(2, 8, extra=chunk(b"sBIT", b"\5\6\5"))


# PNM (netpbm, ppm(5))

for name, magic, channels in [("grey", b"P5", 1), ("RGB", b"P6", 3)]:
    for most in [255, 65535]:
        samples = random.randint(0, most + 1, (19, 23, channels)).astype(np.uint8 if most == 255 else ">u2")
        files[f"{name} {most}.pnm"] = magic + b"\n# a comment\n23 19\n%d\n" % most + samples.tobytes()
for width in [1, 7, 8, 23]:
    files[f"bitmap {width}.pnm"] = b"P4 %d 19\n" % width + random.bytes((width + 7) // 8 * 19)


with zipfile.ZipFile("opencv.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive, open("opencv.txt", "w") as table:
    for name, data in sorted(files.items()):
        archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if pixels is None:
            print(f"refused {name}", file=table)
        else:
            print(hashlib.sha256(pixels.tobytes()).hexdigest(), pixels.shape[1], pixels.shape[0], name, file=table)
