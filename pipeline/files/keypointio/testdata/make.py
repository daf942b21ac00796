"""Writes the archive of this folder by the description of the formats alone
(numpy.lib.format; PKWARE's APPNOTE through Python's zipfile).

Run in this folder: python3 make.py
"""

import struct
import zipfile


def npy(descr, shape, values, fortran=False, version=1):
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %r, }" % (descr, fortran, shape)
    prefix = 8 + (2 if version == 1 else 4)
    header += " " * (63 - (prefix + len(header)) % 64) + "\n"
    code = {"f4": "f", "f8": "d", "i4": "i", "i8": "q", "u1": "B", "i2": "h"}[descr[1:]]
    order = ">" if descr[0] == ">" else "<"
    return (b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header))
            + header.encode() + struct.pack("%s%d%s" % (order, len(values), code), *values))


def archive(path, compression, **arrays):
    with zipfile.ZipFile(path, "w", compression) as z:
        for name, content in arrays.items():
            with z.open(zipfile.ZipInfo(name + ".npy"), "w", force_zip64=True) as f:  # as numpy.savez does
                f.write(content)


# What is read: compressed, big-endian, Fortran order, version 2,
# columns of one, other integers. Logically [[1, 2, 3, 4], [5, 6, 7, 8]].
archive("other.npz", zipfile.ZIP_DEFLATED,
        imsize=npy("<i8", (2,), [640, 480]),
        keypoints=npy(">f8", (2, 4), [1, 5, 2, 6, 3, 7, 4, 8], fortran=True, version=2),
        scores=npy("<f8", (2, 1), [0.1, 1e-3]),
        octave=npy("<i8", (2,), [255 | 1 << 8 | 77 << 16, -1]),
        class_id=npy("<i2", (2,), [-1, 1]))
