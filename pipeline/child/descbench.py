"""Measure your own descriptors, detectors and matchers by the program descbench.

    import descbench

    def mine(image, keypoints):     # H×W×3 uint8 RGB; N×4 float32: x, y, size, angle
        return rows                 # N×D

    result = descbench.evaluate(mine, data="hpatches-sequences-release", baseline="sift")
    print(result)
    result["mine"]["map_macro"]

evaluate calls functions of this program. A program can also serve them to descbench, which starts
it as the config says:

    @descbench.describe(name="mine", version="2")
    def mine(image, keypoints):
        return rows

    descbench.serve()

The decorators, and what their functions get and return:

    describe  image, keypoints -> rows
    patches   patches (B×C×S×S float32, as the config prepares them) -> rows, B×D
    detect    image -> keypoints (N×2 to N×4), or (keypoints, rows), or a dict of
              arrays: keypoints, scores, size, angle, descriptors
    match     a, b -> N matches of a's keypoints in b (-1: none), or (matches, scores),
              or a dict of arrays: matches0 or matches, keypoints0 and keypoints1,
              scores. a and b have .image, .scene and .name and, if the config sends
              them, .keypoints (N×4) and .descriptors (N×D); else these are None.

    estimate  m -> H, or for poses (R, t), or None. m has .points0 and .points1 (N×2
              float32), .scores or .distances (N; None: not known), .size0 and .size1
              (width, height), .threshold_px, .seed, .of ("homography" or "pose") and,
              for poses, .K0 and .K1 (3×3). H maps points0 to points1, R and t the
              coordinates of camera 0 to those of camera 1: x1 = R·x0 + t

Positions are in pixels, with the centre of the first pixel at (0, 0), sizes are
diameters in pixels, angles are in degrees, -1 without one. A function that takes a
further argument `info` gets a dict with the names of the scene and of the image.

Raise the version whenever the rows change: it is part of the key of cached rows, as
are the files in the config's `files`.

`python3 -m descbench hdf5 FILE` serves features and matches of hloc, glue-factory and the
Image Matching Challenge; it needs h5py. `python3 -m descbench onnx FILE` serves a network
that maps patches to rows; it needs onnxruntime or OpenCV. `vismatch NAME`,
`easy-local-features NAME`, `poselib`, `pycolmap` and `pydegensac` serve what these packages
have: see docs/own-functions.md.
"""
import argparse
import contextlib
import copy
import difflib
import glob
import inspect
import io
import itertools
import json
import os
import re
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import traceback
import uuid
import warnings

import numpy as np

PROTOCOL = 1
_functions = {}  # by operation and name
_notes = {}  # for people who read the results: facts that do not depend on which calls were made
_served = os.environ.get("DESCBENCH_CHILD") == "1"

if _served:
    # The frames keep the original standard input and output. Whatever else prints, also
    # from C, goes to standard error.
    _in = os.fdopen(os.dup(0), "rb")
    _out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)


def instance():
    """The number of this process among the config's `instances`, from 0: on a machine
    with several GPUs, the one to use."""
    return int(os.environ.get("DESCBENCH_INSTANCE", "0"))


def _name(function):
    return getattr(function, "__name__", type(function).__name__)


def _decorator(operation, name, version, **more):
    def register(function):
        entry = dict(operation=operation, name=name or _name(function), version=version, **more)
        _functions[operation, entry["name"]] = (function, entry)
        return function

    if callable(name):  # @descbench.describe without parentheses
        function, name = name, None
        return register(function)
    return register


def describe(name=None, version=None, elements=""):
    """Register a function of an image and keypoints. elements is the type of the rows:
    bits, uint8 or float32; floating-point rows need not say so."""
    return _decorator("describe", name, version, elements=elements)


def patches(name=None, version=None, elements="", batch=0):
    """Register a function of a batch of patches, of at most `batch` (0: any number)."""
    return _decorator("patches", name, version, elements=elements, batch=batch)


def detect(name=None, version=None, elements="", origin="center"):
    """Register a function that finds keypoints, with or without rows. origin "corner":
    the first pixel's corner has the position (0, 0), not its centre."""
    return _decorator("detect", name, version, elements=elements, origin=origin)


def match(name=None, version=None, origin="center"):
    """Register a function that matches two images."""
    return _decorator("match", name, version, origin=origin)


def estimate(name=None, version=None):
    """Register a function that estimates from matches."""
    return _decorator("estimate", name, version)


class Pairs:
    """The matches of two images."""

    def __init__(self, header, arrays):
        self.points0, self.points1 = arrays["points0"], arrays["points1"]
        self.scores, self.distances = arrays.get("scores"), arrays.get("distances")
        self.K0, self.K1 = (np.array(header[k]) if k in header else None for k in ("K0", "K1"))
        self.size0, self.size1 = header["size0"], header["size1"]  # width, height
        self.of, self.threshold_px, self.seed = header["of"], header["threshold_px"], header["seed"]


class View:
    """One of the two images of a match."""

    def __init__(self, header, arrays, i):
        self.image = arrays["image%d" % i]
        self.keypoints = arrays.get("keypoints%d" % i)
        self.descriptors = arrays.get("descriptors%d" % i)
        self.scene, self.name = header["scene"], header["image%d" % i]
        self.resized = header.get("resized%d" % i)


def _call(function, header, arrays):
    """Call the function of a request, and return the arrays of the reply."""
    operation = header["operation"]
    if operation == "describe":
        arguments, outputs = [arrays["image"], arrays["keypoints"]], ["descriptors"]
    elif operation == "patches":
        arguments, outputs = [arrays["patches"]], ["descriptors"]
    elif operation == "detect":
        arguments, outputs = [arrays["image"]], ["keypoints", "descriptors"]
    elif operation == "estimate":
        arguments, outputs = [Pairs(header, arrays)], ["R", "t", "inliers"] if header["of"] == "pose" else ["H", "inliers"]
    else:
        arguments, outputs = [View(header, arrays, 0), View(header, arrays, 1)], ["matches0", "scores"]
    more = {}
    if "info" in inspect.signature(function).parameters:
        more["info"] = {k: header.get(k) for k in ("scene", "image", "image0", "image1", "resized")}
    result = function(*arguments, **more)
    if operation == "estimate" and (result is None or isinstance(result, tuple) and result[0] is None):
        return {}
    if not isinstance(result, dict):
        values = result if isinstance(result, tuple) and result and type(result[0]).__name__ not in _cures else (result,)
        if len(values) > len(outputs):
            keypoints = ', or {"keypoints": points, "descriptors": rows}' if operation == "describe" else ""
            raise ValueError("%s returned %d values, want %s%s" % (_name(function), len(values), " and ".join(outputs), keypoints))
        result = dict(zip(outputs, values))
        if result.get(outputs[0]) is None:
            raise ValueError("%s returned None for %s" % (_name(function), outputs[0]))
    return {name: _array(name, value) for name, value in result.items() if value is not None}


def _own(path):
    """Whether a file is part of the program, not of a library or this module."""
    path, libraries = os.path.realpath(path), tuple(os.path.realpath(prefix) + os.sep for prefix in (sys.prefix, sys.base_prefix))
    folders = [os.path.join(os.path.realpath(folder), "") for folder in (os.path.dirname(sys.argv[0]), os.getcwd())]
    return (os.path.isfile(path) and path.startswith(tuple(folders)) and not path.startswith(libraries)
            and "site-packages" not in path and path != os.path.realpath(__file__))


# What to return instead of OpenCV's objects.
_cures = {"KeyPoint": "np.array([(*p.pt, p.size, p.angle) for p in points])",
          "DMatch": '{"matches": np.array([(m.queryIdx, m.trainIdx) for m in matches])}'}


def _array(name, value):
    if hasattr(value, "detach"):  # a tensor of torch
        value = value.detach().cpu().numpy()
    value = np.asarray(value)
    if value.dtype.kind not in "biuf":
        found = type(value.flat[0]).__name__
        raise ValueError("%s: objects of type %s, want %s" % (name, found, _cures.get(found, "numbers")))
    return value.astype(np.float64) if value.dtype.itemsize > 8 else value


def _read(stream, length):
    data = bytearray(length)
    if stream.readinto(data) < length:
        raise EOFError
    return data


def _part(stream):
    return _read(stream, struct.unpack("<I", _read(stream, 4))[0])


def _parse(npy):
    """The array in an .npy of version 1.0, without copying it."""
    start = 10 + struct.unpack_from("<H", npy, 8)[0]
    head = io.BytesIO(npy[:start])
    np.lib.format.read_magic(head)
    shape, _, dtype = np.lib.format.read_array_header_1_0(head)
    return np.frombuffer(npy, dtype, offset=start).reshape(shape)


def _receive(stream):
    header = json.loads(_part(stream))
    return header, {name: _parse(_part(stream)) for name in header["arrays"]}


def _send(stream, header, arrays):
    header["arrays"] = list(arrays)
    parts = [json.dumps(header).encode()]
    for array in arrays.values():
        npy = io.BytesIO()
        np.lib.format.write_array(npy, array, allow_pickle=False)
        parts.append(npy.getbuffer())
    for part in parts:
        stream.write(struct.pack("<I", len(part)))
        stream.write(part)
    stream.flush()


def serve():
    """Answer requests until descbench ends. Call it last."""
    if not _served:
        names = ", ".join(" ".join(key) for key in _functions) or "nothing"
        sys.exit("This program serves %s to descbench, which starts it: see docs/own-functions.md." % names)
    while True:
        try:
            header, arrays = _receive(_in)
        except EOFError:
            return
        reply, outputs = {"id": header["id"]}, {}
        try:
            if header["operation"] == "hello":
                served = [dict(entry, version=str(entry["version"] or 1)) for _, entry in _functions.values()]
                reply.update(protocol=PROTOCOL, functions=served)
            else:
                outputs = _call(_functions[header["operation"], header["function"]][0], header, arrays)
        except Exception as fault:  # the next request may succeed
            traceback.print_exc()
            frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(fault.__traceback__)]
            function = _functions.get((header["operation"], header.get("function")), [None])[0]
            if hasattr(function, "__code__"):  # whose value may be at fault
                frames.insert(0, (function.__code__.co_filename, function.__code__.co_firstlineno))
            file, line = ([frame for frame in frames if _own(frame[0])] or frames)[-1]
            reply["error"] = "%s: %s (%s, line %d)" % (type(fault).__name__, fault, os.path.basename(file), line)
        if _notes:
            reply["note"] = "\n".join(_notes[key] for key in sorted(_notes))
        try:
            _send(_out, reply, outputs)
        except BrokenPipeError:
            return


class Error(Exception):
    """The program descbench has refused or failed; the message is its own."""


class _Text(str):
    """A text that interactive sessions show as it is."""
    __repr__ = str.__str__


class _Figure(str):
    """An SVG that notebooks show."""
    _repr_svg_ = str.__str__

    def __repr__(self):
        return "SVG of %d bytes" % len(self)


def _program():
    """The path of $DESCBENCH or of descbench, beside this Python or on the PATH."""
    folders = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    path = shutil.which(os.environ.get("DESCBENCH") or "descbench", path=folders)
    if path is None:
        raise Error("found no program %s; install its wheel, add its folder to PATH, or set DESCBENCH to its path" % (os.environ.get("DESCBENCH") or "descbench"))
    return os.path.abspath(path)


# What flags of the program are in Python.
_arguments = {"--data": "evaluate(data=...)", "--out": "evaluate(out=...)", "--jobs": "evaluate(jobs=...)", "--overwrite": "evaluate(overwrite=True)",
              "--set": 'evaluate(SECTION={"KEY": VALUE})', "--notes": "result.table(notes=True)",
              "--wide": "result.table(wide=True)", "--columns": "result.table(columns=...)", "--baseline": "result.compare(baseline=...)"}


def _explained(text):
    """A table for people, with a line that says what the flags below it are in Python."""
    return text if text[:1] in "{%" else "\n".join(filter(None, [text, _in_python(text)]))


def _in_python(text):
    """What the flags in a text are in Python, as a line; "" without any."""
    named = ["%s is %s" % (flag, _arguments[flag]) for flag in _arguments if flag in re.findall("--[a-z]+", text)]
    return "in Python: %s" % ", ".join(named) if named else ""


class _Log:
    """Messages of the program: those for people go to standard error, why it ended to error."""

    def __init__(self):
        self.rest, self.error = b"", ""

    def add(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            try:
                record = json.loads(line)
                del record["time"]
                level, text = record.pop("level"), record.pop("msg")
            except (ValueError, KeyError):  # as of a crash
                level, record, text = "", {}, line.decode(errors="replace")
            if "status" in record:
                self.error = text
                continue
            text = "; ".join([text] + ["%s: %s" % item for item in record.items()])
            print("warning: " * (level == "WARN") + text, file=sys.stderr, flush=True)

    def printed(self, text, status):
        """What the program has printed, unless it failed."""
        text = text.decode().rstrip()
        if status not in (0, 4):  # 4: some scenes failed
            text = "\n".join(filter(None, [text, self.error or "descbench ended with status %d" % status]))
            raise Error("\n".join(filter(None, [text, _in_python(text)])))
        if self.error:
            print(self.error, file=sys.stderr)
        return text


def _run(*arguments):
    """What a command of the program prints."""
    done = subprocess.run([_program(), *arguments, "--log-format", "json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    log = _Log()
    log.add(done.stderr)
    return log.printed(done.stdout, done.returncode)


class _Metrics(dict):
    """The metrics of a descriptor over all scenes, by name; others are looked up."""

    def __init__(self, folder, index, metrics):
        super().__init__((name, float("nan" if value is None else value)) for name, value in metrics.items())
        self._place, self._found = (folder, index), {}

    def __missing__(self, key):
        if key in self._found:
            return self._found[key]
        folder, index = self._place
        try:
            table = json.loads(_run("results", folder, "--json", "--columns", key))
        except Error as fault:
            raise KeyError(str(fault).splitlines()[0].replace("--columns: ", "")) from None
        names = [column["name"] for column in table["columns"][1:]]
        if len(names) != 1:
            raise KeyError("%s: want one of %s" % (key, ", ".join(names)) if names else "%s: has no value" % key)
        value = table["rows"][index][names[0]]
        self._found[key] = float("nan" if value is None else value)
        return self._found[key]


def _flags(values):
    return ["--%s=%s" % (key.replace("_", "-"), value) for key, value in values.items()]


class Result(dict):
    """The results of a run folder. str() is the table; result["mine"]["map_macro"] is a number
    (rates from 0 to 1): a key is a name of a metric, as `descbench metrics` lists them, or the
    title in the run's preset. failed has the reasons why scenes failed, by scene; scenes the numbers
    of evaluated scenes by descriptor, of scenes_requested."""

    def __init__(self, folder, text=None, functions=None):
        self.folder = os.path.abspath(folder)
        self.text = _explained(_run("results", self.folder) if text is None else text)
        with open(os.path.join(self.folder, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        super().__init__((d["name"], _Metrics(self.folder, i, d["metrics"])) for i, d in enumerate(summary["descriptors"]))
        self.scenes, self.scenes_requested = {d["name"]: len(d["scenes"]) for d in summary["descriptors"]}, summary["scenes_requested"]
        self.failed = {scene: "; ".join("%s: %s" % (", ".join(failure["descriptors"]), failure["reason"]) for failure in of)
                       for scene, of in summary["failed_scenes"].items()}
        for d in summary["descriptors"]:
            if functions and d["name"] in functions and not d["scenes"]:
                first = next(failure for of in summary["failed_scenes"].values() for failure in of if d["name"] in failure["descriptors"])
                raise Error("%s failed in all scenes, in the first because of %s" % (d["name"], first["reason"]))
        self.functions = functions or list(self)  # names

    def __missing__(self, descriptor):
        raise KeyError("%s: want one of %s" % (descriptor, ", ".join(self)))

    def __repr__(self):
        return self.text

    def to_pandas(self):
        """A DataFrame with a row for each descriptor, and columns for the numbers of its scenes and
        those requested, and for each metric, also by its short name."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        frame = pandas.DataFrame.from_dict(self, orient="index")
        table = json.loads(_run("results", self.folder, "--json", "--columns", ",".join(frame.columns)))
        short = {column["name"]: [row.get(column["name"]) for row in table["rows"]] for column in table["columns"][1:] if column["name"] not in frame}
        scenes = {"scenes": list(self.scenes.values()), "scenes_requested": self.scenes_requested}
        return pandas.concat([pandas.DataFrame(scenes, frame.index), frame, pandas.DataFrame(short, frame.index, dtype=float)], axis=1)

    def compare(self, other=None, **flags):
        """The table of `descbench compare` against the first descriptor of this run, or of the
        functions against those of another Result or run folder. other can also be a descriptor of
        this run. flags: metric="hit@1"."""
        runs = [self.folder]
        if isinstance(other, str) and other in self and not os.path.isdir(other):
            other, flags = None, {"baseline": other, **flags}
        elif not isinstance(other, (Result, type(None))) and not os.path.isdir(other):
            raise ValueError("%s: want a Result, a run folder, or a descriptor of this run: %s" % (other, ", ".join(self)))
        if other is not None:
            other = other if isinstance(other, Result) else Result(other)
            runs, names = [other.folder, self.folder], [name for name in self.functions if name in other] or other.functions
            labels = [os.path.basename(run) for run in runs]
            flags = {"baseline": "%s:%s" % (labels[0], names[0]), "only": ",".join("%s:%s" % (labels[1], name) for name in self.functions), **flags}
        return _Text(_explained(_run("compare", *runs, *_flags(flags))))

    def table(self, **flags):
        """The table of `descbench results` with its flags: table(columns="map_macro,mma@3",
        notes=True, published=True)."""
        return _Text(_explained(_run("results", self.folder, *_flags(flags))))

    def figure(self, name="map"):
        """A chart of `descbench report --figures` as SVG, which notebooks show."""
        with tempfile.TemporaryDirectory() as folder:
            _run("report", self.folder, "--quiet", "--figures", folder)
            names = sorted(file[:-4] for file in os.listdir(folder) if file.endswith(".svg"))
            if name not in names:
                raise KeyError("%s: want one of %s" % (name, ", ".join(names)))
            with open(os.path.join(folder, name + ".svg"), encoding="utf-8") as file:
                return _Figure(file.read())


_operations = {("image", "keypoints"): "describe", ("patches",): "patches", ("image",): "detect", ("a", "b"): "match"}


def _entry(function):
    """What a decorator has said of a function, or else its parameters say."""
    for registered, entry in _functions.values():
        if registered == function:
            return entry
    if not callable(function):
        raise TypeError("found %s, want a function itself, without calling it" % type(function).__name__)
    wanted = tuple(p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "info")
    if wanted not in _operations:
        raise TypeError("%s(%s): want parameters %s, or descbench.describe, detect, patches or match as its decorator" % (
            _name(function), ", ".join(wanted), " or ".join("(%s)" % ", ".join(names) for names in _operations)))
    return dict(operation=_operations[wanted], name=_name(function), version=None)


def _answer(connection, streams, functions):
    """Answer a request of a relay, and return whether there was one. After the last, the
    connection ends, for which the relay waits, also if a process that was forked here has it."""
    try:
        header, arrays = _receive(streams)
    except (EOFError, ConnectionError):
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
            streams.close()
        return False
    reply, outputs = {"id": header["id"]}, {}
    if header["operation"] == "hello":
        reply.update(protocol=PROTOCOL, functions=[entry for _, entry in functions.values()])
    else:
        outputs = _call(functions[header["operation"], header["function"]][0], header, arrays)
    with contextlib.suppress(ConnectionError):  # then the next request is missing
        _send(streams, reply, outputs)
    return True


def _attend(process, server, functions, parallel):
    """Answer calls until the program ends, and return what it has printed. An exception of a
    function is one of this call."""
    said, log, faults = bytearray(), _Log(), []

    def answer_all(connection, streams):
        try:
            while _answer(connection, streams, functions):
                pass
        except BaseException as fault:
            faults.append(fault)
            process.send_signal(signal.SIGINT)

    with selectors.DefaultSelector() as selector, contextlib.ExitStack() as connections:
        for file, use in (process.stdout, said.extend), (process.stderr, log.add), (server, None):
            selector.register(file, selectors.EVENT_READ, use)
        running = 2
        while running:
            for key, _ in selector.select():
                if key.fileobj is server:
                    connection = connections.enter_context(server.accept()[0])
                    streams = connection.makefile("rwb")
                    if parallel:
                        threading.Thread(target=answer_all, args=(connection, streams), daemon=True).start()
                    else:
                        selector.register(connection, selectors.EVENT_READ, streams)
                elif isinstance(key.fileobj, socket.socket):
                    if not _answer(key.fileobj, key.data, functions):
                        selector.unregister(key.fileobj)
                elif data := os.read(key.fd, 1 << 16):
                    key.data(data)
                else:
                    selector.unregister(key.fileobj)
                    running -= 1
    status = process.wait()
    if faults:
        raise faults[0]
    return log.printed(said, status)


def _measure(config, flags, functions, parallel):
    """What `descbench run` prints of a config with these functions."""
    program, parent = _program(), tempfile.gettempdir()  # the path of a socket may have 107 bytes
    with tempfile.TemporaryDirectory(prefix="descbench-", dir=parent if len(parent) < 80 else "/tmp") as folder, socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.join(folder, "socket"))
        server.listen()
        os.symlink(program, os.path.join(folder, "descbench"))
        environment = dict(os.environ, DESCBENCH_SOCKET=server.getsockname(), PATH=os.pathsep.join([folder, os.environ.get("PATH", os.defpath)]))
        # In a session of its own, which the terminal does not interrupt a second time.
        with subprocess.Popen([program, "run", "-", "--log-format", "json", *flags], env=environment, start_new_session=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                with contextlib.suppress(BrokenPipeError), process.stdin:  # it may have ended
                    process.stdin.write(json.dumps(config).encode())
                process.stdin = None  # for communicate
                return _attend(process, server, functions, parallel)
            except BaseException:
                process.send_signal(signal.SIGINT)
                try:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.communicate(timeout=10)
                finally:
                    process.kill()
                raise


def evaluate(function, data=None, preset=None, baseline=None, keypoints=None, config=None, out=None, jobs=None, parallel=False, overwrite=False, **more):
    """Run an experiment with functions of this program, and return its Result.

    function   one with the parameters (image, keypoints), (patches), (image) or (a, b), or with a
               decorator; a list, or a dict by name. Without a version, nothing of it is cached.
    data       the folder of scenes
    preset     the evaluation of a paper, such as "gluefactory"; the scripts of most papers detect up to
               the border of images, as with keypoints={"border": 0}
    baseline   what to compare with: "sift", "rootsift", another descriptor as in a config, or a list of such
    keypoints  a type of detector, a function that detects, or keys of a keypoint set; by default
               SIFT with a border of 40 px and the 2000 of greatest response in each image. False:
               match gets only the images. A function that detects has its own.
    config     a config for everything else: a file or a dict
    out        the run folder; by default a new one, runs/evaluate-1 and so on
    jobs       processor cores to use. Functions are called one at a time, unless parallel is True.
    overwrite  replace what is in out
    more       sections of the config, evaluation={"relevance": "position"}, and keys of the
               functions' descriptors, patches={"input_size": 32}
    """
    sections = {"experiment", "dataset", "keypoint_sets", "descriptors", "variants", "evaluation", "output"}
    own = {name: more.pop(name) for name in sections & set(more)}
    for name in more:
        for meant in difflib.get_close_matches(name.lower(), [*inspect.signature(evaluate).parameters, *sections], 1, 0.75):
            raise TypeError("evaluate has no argument %s (did you mean %s?)" % (name, meant))
    if preset:
        own["evaluation"] = {**own.get("evaluation", {}), "preset": preset}
    flags = ["--data", os.fspath(data)] if data else []
    config = _config(config, own, flags)
    functions = _Functions((jobs or os.cpu_count()) if parallel else 1)
    names = _descriptors(config, functions, function, baseline, keypoints, more)
    folder = os.path.abspath(out or next(filter(_make, (os.path.join("runs", "evaluate-%d" % n) for n in itertools.count(1)))))
    config["experiment"] = {**config.get("experiment", {}), "name": os.path.basename(folder)}
    if not overwrite and os.path.exists(os.path.join(folder, "config.yaml")) and any(not entry["version"] for _, entry in functions.values()):
        raise Error("%s: exists, and a function without a version cannot resume it; pass overwrite=True, another out, or functions with @descbench.describe(version=...)" % folder)
    flags += ["--out", os.path.dirname(folder)] + (["--jobs", str(jobs)] if jobs else []) + ["--overwrite"] * overwrite
    try:
        result = Result(folder, _measure(config, flags, functions, parallel), names)
    except BaseException as fault:
        if not out and not (isinstance(fault, Error) and os.listdir(folder)):
            shutil.rmtree(folder)
        raise
    if result.failed:
        lines = ["%s: %s" % item for item in result.failed.items()]
        lines[3:] = ["%d more: result.failed" % (len(lines) - 3)] if len(lines) > 3 else []
        warnings.warn("%d of %d scenes failed, and are not in the values of these descriptors:\n  %s" % (
            len(result.failed), result.scenes_requested, "\n  ".join(lines)), stacklevel=2)
    return result


def _config(config, own, flags):
    """The config, a file or a dict, with sections of the caller's own."""
    if isinstance(config, (str, os.PathLike)):
        for name, section in own.items():
            values = {"%s.%s" % (name, key): value for key, value in section.items()} if isinstance(section, dict) else {name: section}
            flags = flags + ["--set=%s=%s" % (key, value if isinstance(value, str) else json.dumps(value)) for key, value in values.items()]
        return json.loads(_run("config", "show", os.fspath(config), "--json", *flags))
    config = copy.deepcopy(dict(config or {}))
    for name, section in own.items():
        config[name] = {**config.get(name, {}), **section} if isinstance(section, dict) else section
    return config


class _Functions(dict):
    """Functions and what they are by operation and identity, by which run folders and the cache
    know them: without a version, it is another one in each call of evaluate."""

    def __init__(self, instances):
        super().__init__()
        self.instances, self.known = instances, {}

    def command(self, function, name=None):
        """The keys of a descriptor or detector that call a function."""
        if id(function) not in self.known:
            entry = _entry(function)
            version = "" if entry["version"] is None else str(entry["version"])
            identity = self.known[id(function)] = "%s %s" % (name or entry["name"], version or uuid.uuid4().hex[:8])
            self[entry["operation"], identity] = function, dict(entry, name=identity, version=version)
        return dict(type="command", run=["descbench", "relay"], function=self.known[id(function)], timeout="24h", instances=self.instances)


def _descriptors(config, functions, given, baseline, keypoints, more):
    """Add the keypoint set, the baselines and the functions to a config, and return the names of
    the functions."""
    if not isinstance(given, dict):
        given, listed = {}, given if isinstance(given, (list, tuple)) else [given]
        for function in listed:
            if given.setdefault(_entry(function)["name"], function) is not function:
                raise ValueError("several functions are called %s: pass a dict of names and functions" % _entry(function)["name"])
        if "<lambda>" in given:
            raise ValueError("a lambda has no name: pass {'name': function}")
    detect = functions.command(keypoints) if callable(keypoints) else {"type": keypoints}
    own = {"detect": detect} if callable(keypoints) or isinstance(keypoints, str) else dict(keypoints or {})
    sets, default = config.setdefault("keypoint_sets", []), {"detect": {"type": "sift"}, "border": 40, "top": {"by": "response", "per_image": 2000}}

    def keypoint_set(name, **values):
        sets.append({key: value for key, value in {"name": name, **values}.items() if value is not None})
        return name

    points = sets[0]["name"] if sets and not own else keypoint_set("keypoints", **{**default, **own})
    listed = [baseline] if isinstance(baseline, (str, dict)) else baseline or []
    first = [{"keypoints": points, **({"name": one, **({"type": "sift", "root": "l1"} if one == "rootsift" else {"type": one})} if isinstance(one, str) else one)} for one in listed]
    others = [one for one in config.get("descriptors", []) if one["name"] not in [one["name"] for one in first]]
    config["descriptors"] = first + others
    for name, function in given.items():
        operation = _entry(function)["operation"]
        entry = {"name": name, **functions.command(function, name), "operation": operation}
        if operation == "detect":
            if own and "detect" not in own:
                entry["keypoints"] = keypoint_set(name + "-keypoints", **{"detect": functions.command(function), **own})
        elif operation == "match" and first and keypoints is not False:
            entry["of"] = first[0]["name"]
        elif keypoints is not False:
            entry["keypoints"] = points
        config["descriptors"].append({**entry, **more})
    return list(given)


def _make(folder):
    """Make a folder, and return whether it is new."""
    with contextlib.suppress(FileExistsError):
        os.makedirs(folder)
        return True


def _placed(points, resized, half):
    """Positions in the stored image, moved to the image that the run made of it. half is
    0.5 if the centre of a pixel stayed one when the file's writer scaled positions."""
    if resized is None:
        return points
    sx, sy, left, top = resized
    return (points[:, :2].astype(np.float64) + half) * (sx, sy) - half - (left, top)


def _of_stored(size, has, sx, sy, left, top):
    """Whether an image of a size can be the stored one, of which the run made one of size has.
    A crop leaves out twice left and top, or 1 px more."""
    return len(size) == 2 and all(-0.5 * s < n * s - m - 2 * cut < 1 + 0.5 * s for n, m, s, cut in zip(size, has, (sx, sy), (left, top)))


# Rules by which positions are scaled, and half of each.
_scalings = {"x*s": 0, "(x+0.5)*s-0.5": 0.5}


class _Arrays(dict):
    """Arrays of an image or a pair, as in a group of h5py."""

    def __init__(self, name, arrays):
        super().__init__(arrays)
        self.name = "/" + name


class _HDF5:
    """Features or matches in a file of hloc or glue-factory. Both write positions in the
    stored image; glue-factory scales them without a shift. Or files as in the Image Matching
    Challenge: arrays by image (keypoints.h5, and next to it descriptors.h5 and scores.h5), of
    pairs 2×M row numbers by the names of two images with - between."""

    def __init__(self, path, origin="center", scaling=None):
        import h5py

        self.path, self.file = path, h5py.File(path, "r")
        self.columns = None  # of descriptors: True if they are D×N; None: not known
        self.pairs = False
        self.half, self.why = _scalings.get(scaling), "as --scaling says"  # None: that of the file
        if origin == "corner" and scaling is None:
            self.half, self.why = 0, "since positions are measured from the corner"
        self.scenes = {}  # scenes by the names of their groups
        self.sized = [0, 0]  # numbers of images without and with image_size
        self.names = []  # of images or pairs
        self.flat = {}  # files by array, if there are no groups of arrays
        arrays = {}

        def look(name, item):
            if not isinstance(item, h5py.Group):
                arrays[name] = item
                return
            if "matches0" in item or "keypoints0" in item:
                self.pairs = True
            if {"matches0", "keypoints0", "keypoints"} & set(item):
                self.names.append(name)
            self.sized["image_size" in item] += "keypoints" in item
            for key in ("keypoints", "keypoints0"):
                if key in item and item[key].dtype == np.float16:
                    _notes[path, "half"] = ("%s: positions are half floats: rounded to 0.5 px above 512 px, to 1 px above 1024 px, "
                                            "to 2 px above 2048 px; with hloc, export with as_half=False" % os.path.basename(path))
            if {"scales", "oris"} & set(item) or "keypoints" in item and item["keypoints"].shape[-1] > 2:
                _notes[path, "sizes"] = "%s: sizes and angles of keypoints are not read" % os.path.basename(path)
            if self.columns is None and "descriptors" in item and "keypoints" in item:
                n, shape = item["keypoints"].shape[0], item["descriptors"].shape
                if shape[0] != shape[1]:
                    self.columns = shape[1] == n

        self.file.visititems(look)
        if not self.names:
            self.flatten(arrays)
        common = os.path.commonprefix(self.names)
        # that all names may have in front of the scene; in names of pairs, hloc writes - for /
        self.folders = [""] + [common[:i + 1] for i, c in enumerate(common) if c in "/-"]

    def flatten(self, arrays):
        """Take arrays without groups for keypoints of images or matches of pairs."""
        self.names, tables = sorted(arrays), [array for array in arrays.values() if array.ndim == 2]
        self.pairs = all(len(table) == 2 and table.dtype.kind in "iu" for table in tables)
        if not arrays or len(tables) < len(arrays) or not self.pairs and any(table.shape[1] != 2 for table in tables):
            holds = ["%s (%s %s)" % (name, "×".join(map(str, arrays[name].shape)), arrays[name].dtype) for name in self.names[:2]]
            raise ValueError("found %s, want keypoints (N×2) by image, matches (2×M) by pair, or groups as hloc and glue-factory write them" % (
                "%d arrays, such as %s" % (len(arrays), " and ".join(holds)) if arrays else "no array"))
        self.flat, self.columns = {"matches" if self.pairs else "keypoints": self.file}, False
        for key in () if self.pairs else ("descriptors", "scores"):
            path = os.path.join(os.path.dirname(self.path), key + ".h5")
            if os.path.exists(path):
                self.flat[key] = type(self.file)(path, "r")

    def note(self, resized, half, why):
        """Tell the readers of the results how positions were moved."""
        if resized is not None:
            half, why = (half, "since " + why) if self.half is None else (self.half, self.why)
            _notes[self.path, "moved", half] = "%s: positions and default_size are those in the stored image, and scaled by %s, %s" % (
                os.path.basename(self.path), next(rule for rule in _scalings if _scalings[rule] == half), why)
        if resized is not None and any(resized[2:]):
            _notes[self.path, "cut"] = "%s: left out keypoints outside the part of the image that the run keeps, and their matches" % (
                os.path.basename(self.path))

    def group(self, scene, names, *keys):
        file = os.path.basename(self.path)
        for name in names:
            if name not in self.file or not self.flat and not set(keys) & set(self.file[name]):
                continue
            if self.scenes.setdefault(name, scene) != scene:
                raise ValueError("%s has %s without a scene, want one for each of %s and %s" % (file, name, self.scenes[name], scene))
            return _Arrays(name, {key: of[name] for key, of in self.flat.items() if name in of}) if self.flat else self.file[name]
        raise KeyError("%s has no %s of %s%s" % (file, keys[0], " or ".join(names[:2]), ", but of %s" % min(self.names) if self.names else ""))

    def read(self, group, key):
        array = group[key][()]
        array = array.astype(np.float32) if array.dtype.kind == "f" else array
        columns = key in ("keypoints", "keypoints0", "keypoints1", "descriptors")
        return array[0] if array.ndim > 1 + columns and array.shape[0] == 1 else array

    def features(self, image, info):
        stem = os.path.splitext(info["image"])[0]
        names = [d + info["scene"] + "/" + i for d in self.folders for i in (info["image"], stem)] + [info["image"], stem]
        group = self.group(info["scene"], names, "keypoints")
        resized, points, half = info["resized"], self.read(group, "keypoints")[:, :2], 0
        if "image_size" in group:
            size, has, half = np.ravel(group["image_size"]), image.shape[1::-1], 0.5
            if tuple(size) == has:
                resized = None  # its positions are those in this image
            elif resized is None or not _of_stored(size, has, *resized):
                raise ValueError("%s was made from %s of %s px, the image has %d×%d%s" % (
                    os.path.basename(self.path), group.name[1:], "×".join("%g" % side for side in size), *has, " after resizing" if resized else ""))
        points = _placed(points, resized, half if self.half is None else self.half)
        without, with_size = self.sized
        self.note(resized, 0.5 if with_size else 0, "its images have image_size" if not without else "its images have no image_size" if not with_size else
                  "%d of its images have image_size (by x*s for the other %d)" % (with_size, without))
        out = {"keypoints": points}
        for key in ("scores", "keypoint_scores"):
            if key in group:
                out["scores"] = self.read(group, key).ravel()
        if "descriptors" in group:
            rows = self.read(group, "descriptors")
            out["descriptors"] = rows.T if self.columns or self.columns is None else rows
        if resized is not None:
            out["size_scale"] = np.mean(resized[:2], keepdims=True)
        return out

    def item(self, scene, image):
        """The name of a pair in glue-factory's HPatches: SCENE/N.ppm, where N counts the
        pairs of all scenes, five a scene, from 0."""
        numbers = sorted(int(n[:-4]) for n in self.file.get(scene, ()) if n[:-4].isdigit())
        first, k = min(numbers, default=0) // 5 * 5, os.path.splitext(image)[0]
        if k.isdigit() and numbers == list(range(first, first + 5)):
            return "%s/%d.ppm" % (scene, first + int(k) - 2)
        return scene + "/N.ppm (five N from a multiple of 5)"

    def matches(self, a, b):
        one, two = a.scene + "/" + a.name, b.scene + "/" + b.name

        def named(*both):  # as by hloc's names_to_pair and names_to_pair_old
            flat = [name.replace("/", "-") for name in both]
            bare = [os.path.splitext(name.split("/")[1])[0] for name in both]
            return [d + x + by + d + y for d in self.folders for x, y in (flat, both) for by in "/_"] + [a.scene + "/" + "-".join(bare), "-".join(bare)]

        item, names, back = self.item(b.scene, b.name), named(one, two), named(two, one)
        names.insert(1, item)
        group = self.group(a.scene, names + back, "matches0", "keypoints0")
        reverse = group.name[1:] in back
        if self.flat:
            rows = self.read(group, "matches").T
            return {"matches": rows[:, ::-1] if reverse else rows}
        if reverse:
            a, b = b, a
        points = "keypoints0" in group and ("scores" in group or "matches0" not in group)  # LoFTR by hloc
        keys = ["keypoints0", "keypoints1"] + (["scores"] if points else ["matches0", "matching_scores0"])
        out = {key: self.read(group, key) for key in keys if key in group}
        for key, view in ("keypoints0", a), ("keypoints1", b):
            if key in out:
                half = 0 if group.name == "/" + item else 0.5
                out[key] = _placed(out[key], view.resized, half if self.half is None else self.half)
                self.note(view.resized, half, "its pairs are named as in " + ("hloc" if half else "glue-factory"))
        return self.reversed(out) if reverse else out

    def reversed(self, out):
        """Matches of a pair that is stored as (k, 1), as those of (1, k)."""
        turned = {"keypoints0": out.get("keypoints1"), "keypoints1": out.get("keypoints0"), "scores": out.get("scores")}
        if "matches0" in out:
            rows = out["matches0"]
            matched = np.flatnonzero(rows >= 0)
            turned["matches"], turned["keypoint_counts"] = np.stack([rows[matched], matched], 1), [-1, len(rows)]
            if "matching_scores0" in out:
                turned["scores"] = out["matching_scores0"][matched]
        return turned


def _hdf5(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m descbench hdf5", description="Serve features or matches of hloc or glue-factory.")
    parser.add_argument("file", help="{scene} in it stands for the name of the scene: imw/{scene}/keypoints.h5")
    parser.add_argument("--origin", choices=["center", "corner"], default="center",
                        help="what has the position (0, 0): the first pixel's centre (hloc) or corner (glue-factory's SuperPoint)")
    parser.add_argument("--scaling", choices=sorted(_scalings),
                        help="how positions are scaled if the run scales images by s, instead of the rule that the file suggests")
    options = parser.parse_args(arguments)
    try:
        import h5py  # noqa: F401
    except ImportError as fault:
        sys.exit("%s (pip install h5py)" % fault)
    opened = {}

    def file(scene):
        path = options.file.replace("{scene}", scene)
        if path not in opened:
            opened[path] = _HDF5(path, options.origin, options.scaling)
        return opened[path]

    paths = glob.glob(glob.escape(options.file).replace("{scene}", "*"))
    try:
        pairs = _HDF5(min(paths, default=options.file), options.origin, options.scaling).pairs
    except ValueError as fault:
        sys.exit("%s: %s" % (os.path.basename(options.file), fault))
    if pairs:
        match(name="hdf5", version="4", origin=options.origin)(lambda a, b: file(a.scene).matches(a, b))
    else:
        detect(name="hdf5", version="4", origin=options.origin)(lambda image, info: file(info["scene"]).features(image, info))
    serve()


def _network(path):
    """A function that returns the outputs of an ONNX file, and what computes them: on one
    thread, so that they do not depend on the number of cores; `instances` are processes."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")  # errors are raised, too
    try:
        import onnxruntime
    except ImportError:
        try:
            import cv2
        except ImportError:
            sys.exit("%s has neither onnxruntime nor cv2: pip install onnxruntime" % sys.executable)
        cv2.setNumThreads(1)
        net = cv2.dnn.readNetFromONNX(path)

        def run(patches):
            net.setInput(patches)
            return net.forward(net.getUnconnectedOutLayersNames())

        return run, "OpenCV " + cv2.__version__
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda patches: session.run(None, {session.get_inputs()[0].name: patches}), "onnxruntime " + onnxruntime.__version__


def _fields(message):
    """Yield the numbers and values of the fields of a message of Protocol Buffers."""
    at = 0

    def varint():
        nonlocal at
        start, at = at, next(i for i in range(at, len(message)) if message[i] < 128) + 1
        return sum((byte & 127) << 7 * i for i, byte in enumerate(message[start:at]))

    while at < len(message):
        number, kind = divmod(varint(), 8)
        value = varint() if kind in (0, 2) else {1: 8, 5: 4}[kind]
        if kind:  # value is a length
            value, at = message[at:at + value], at + value
        yield number, value


def _input_shape(model):
    """The shape of the only input of an ONNX file (onnx.proto), which OpenCV does not tell;
    0 for what the file leaves open. Old files list weights as inputs, too."""
    graph = list(_fields(dict(_fields(memoryview(model)))[7]))
    weights = [dict(_fields(tensor))[8] for number, tensor in graph if number == 5]
    inputs = [dict(_fields(value)) for number, value in graph if number == 11]
    (given,) = [value for value in inputs if value[1] not in weights]
    shape = dict(_fields(dict(_fields(given[2]))[1]))[2]
    return [dict(_fields(size)).get(1, 0) for _, size in _fields(shape)]


def _onnx(arguments):
    import hashlib

    parser = argparse.ArgumentParser(prog="python3 -m descbench onnx", description="Serve a network that maps patches to rows.")
    parser.add_argument("file")
    path = parser.parse_args(arguments).file
    name = os.path.basename(path)

    def rows(patches):
        """In batches of one size, so that a row does not depend on how many patches there are."""
        if any(want not in (0, found) for want, found in zip(shape[1:], patches.shape[1:])):
            raise ValueError("%s takes patches of %s (channels, height, width; 0: any), found %s; change patches.channels or patches.input_size" % (
                name, *("×".join(map(str, sizes[1:])) for sizes in (shape, patches.shape))))
        full = np.zeros((batch,) + patches.shape[1:], np.float32)
        full[:len(patches)] = patches
        outputs = run(full)
        if len(outputs) != 1 or outputs[0].shape[:1] != (batch,):
            raise ValueError("outputs of shape %s for %d patches, want one with a row for each" % (" and ".join(str(o.shape) for o in outputs), batch))
        return outputs[0].reshape(batch, -1)[:len(patches)]

    try:
        with open(path, "rb") as file:
            model = file.read()
        run, by = _network(path)
        shape = _input_shape(model)
        batch = shape[0] or 64
        if 0 not in shape[1:]:
            noise = np.random.default_rng(1).random([batch] + shape[1:], np.float32)
            there, alone = rows(noise)[-1], rows(noise[-1:])[0]
            if np.abs(there - alone).max() > 1e-3 * np.abs(there).max():
                raise ValueError("the row of a patch depends on the other patches of the batch; export the network with net.eval()")
    except Exception as fault:
        hint = "" if sys.modules.get("onnxruntime") else "OpenCV fails, onnxruntime has more operators (pip install onnxruntime): "
        sys.exit("%s: %s%s" % (name, hint, " ".join(str(fault).split())))
    patches(name="onnx", version="1 %s %s" % (by, hashlib.sha256(model).hexdigest()[:12]), batch=batch)(rows)
    serve()


def _package(name):
    """A package of the index, and its version."""
    import importlib
    from importlib import metadata

    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        sys.exit("%s has no %s: pip install %s, or begin run with the path of a Python that has it" % (sys.executable, name, name))
    _notes[name, "version"] = "computed by %s %s" % (name, version)
    return importlib.import_module(name.replace("-", "_")), version


def _method(package, arguments, *numbers):
    """What arguments name of a package of methods in PyTorch: the package, its version, the
    options, and a function that calls with fixed seeds: results then depend neither on earlier
    calls nor, in networks without weights, on the start."""
    parser = argparse.ArgumentParser(prog="python3 -m descbench " + package, description="Serve a method of %s." % package)
    parser.add_argument("name")
    parser.add_argument("--device", help="such as cpu; by default the GPU with the number of the instance, if there is one")
    for number in numbers:
        parser.add_argument(number, type=int)
    options = parser.parse_args(arguments)
    module, version = _package(package)
    import torch

    known = module.available_models if package == "vismatch" else module.available_methods
    if options.name.split(":")[0] not in known:
        import difflib

        sys.exit("%s %s has no method %s, did you mean %s?" % (package, version, options.name, difflib.get_close_matches(options.name, known, 1, 0)[0]))
    options.device = options.device or ("cuda:%d" % instance() if torch.cuda.is_available() else "cpu")

    def seeded(call, *inputs, **more):
        torch.manual_seed(0)
        np.random.seed(0)
        return call(*inputs, **more)

    return module, "%s %s, torch %s" % (package, version, torch.__version__), options, seeded


def _vismatch(arguments):
    vismatch, version, options, seeded = _method("vismatch", arguments, "--max-num-keypoints")
    limit = {} if options.max_num_keypoints is None else {"max_num_keypoints": options.max_num_keypoints}
    matcher = seeded(vismatch.get_matcher, options.name, device=options.device, **limit)
    matcher.skip_ransac = True  # its homography is not needed

    def matches(a, b):
        found = seeded(matcher, *(np.ascontiguousarray(np.moveaxis(view.image, 2, 0) / np.float32(255)) for view in (a, b)))
        return {"keypoints0": found["matched_kpts0"], "keypoints1": found["matched_kpts1"], "scores": found["matched_confidences"]}

    match(name=options.name, version=version)(matches)
    serve()


def _easy_local_features(arguments):
    package, version, options, seeded = _method("easy-local-features", arguments)
    import torch

    method = seeded(package.getMethod, options.name).to(options.device)

    def one(tensor):  # of a batch
        return tensor[0] if tensor.ndim == 3 else tensor

    @torch.inference_mode()
    def rows(image, keypoints):
        points = torch.from_numpy(keypoints[None, :, :2].copy()).to(options.device)
        found = seeded(method.compute, image, points)
        points, found = found if isinstance(found, tuple) else (points, found)
        return {"keypoints": one(points), "descriptors": one(found)}

    @torch.inference_mode()
    def features(image):
        if method.method_type == "detector_only":
            return one(seeded(method.detect, image))
        return tuple(map(one, seeded(method.detectAndCompute, image)))

    @torch.inference_mode()
    def matches(a, b):
        found = seeded(method.match, a.image, b.image)
        return {"keypoints0": one(found["mkpts0"]), "keypoints1": one(found["mkpts1"])}

    if method.method_type in ("descriptor_only", "detect_describe"):
        describe(name=options.name, version=version)(rows)
    if method.method_type in ("detector_only", "detect_describe"):
        detect(name=options.name, version=version)(features)
    if method.method_type == "end2end_matcher":
        match(name=options.name, version=version)(matches)
    serve()


def _dual_softmax(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m descbench dual-softmax", description="Serve a matcher: mutual nearest neighbours by dual softmax.")
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--min-score", type=float, default=0.01)
    options = parser.parse_args(arguments)
    if not options.temperature > 0:
        parser.error("--temperature: want a number above 0")

    def softmax(x, axis):
        x = np.exp(x - x.max(axis, keepdims=True))
        return x / x.sum(axis, keepdims=True)

    def dual_softmax(a, b):
        similarity = a.descriptors.astype(np.float64) @ b.descriptors.T.astype(np.float64) / options.temperature
        scores = softmax(similarity, 0) * softmax(similarity, 1)
        forth, back = scores.argmax(1), scores.argmax(0)
        best = scores.max(1)
        return np.where((back[forth] == np.arange(len(forth))) & (best > options.min_score), forth, -1), best

    match(version="1")(dual_softmax)
    serve()


def _given(package, arguments, **keys):
    """The options of an estimator that arguments give, by name."""
    parser = argparse.ArgumentParser(prog="python3 -m descbench " + package, description="Serve %s. What is not given has its default." % package)
    for key, of in keys.items():
        parser.add_argument("--" + key, type=of)
    return {key: value for key, value in vars(parser.parse_args(arguments)).items() if value is not None}


def _pinhole(K, size):
    return {"model": "PINHOLE", "width": size[0], "height": size[1], "params": [K[0, 0], K[1, 1], K[0, 2], K[1, 2]]}


def _poselib(arguments):
    given = _given("poselib", arguments, max_iterations=int, min_iterations=int, success_prob=float)
    poselib, version = _package("poselib")

    def by_poselib(m):
        options = dict(given, seed=m.seed, max_reproj_error=m.threshold_px, max_epipolar_error=m.threshold_px)
        if m.of == "homography":
            found, told = poselib.estimate_homography(m.points0, m.points1, options, {})
        else:
            found, told = poselib.estimate_relative_pose(m.points0, m.points1, _pinhole(m.K0, m.size0), _pinhole(m.K1, m.size1), options, {})
        if told["num_inliers"] == 0:  # found is the identity, or noise
            return None
        return found if m.of == "homography" else (found.R, found.t)

    estimate(name="poselib", version=version)(by_poselib)
    serve()


def _pycolmap(arguments):
    given = _given("pycolmap", arguments, max_num_trials=int, min_num_trials=int, confidence=float)
    pycolmap, version = _package("pycolmap")

    def by_pycolmap(m):
        options = dict(given, random_seed=m.seed, max_error=m.threshold_px)
        if m.of == "homography":
            found = pycolmap.estimate_homography_matrix(m.points0, m.points1, pycolmap.RANSACOptions(**options))
            return found and found["H"]
        two = pycolmap.TwoViewGeometryOptions(compute_relative_pose=True)
        two.ransac.mergedict(options)
        cameras, rows = (pycolmap.Camera(**_pinhole(*camera)) for camera in ((m.K0, m.size0), (m.K1, m.size1))), np.arange(len(m.points0))
        found = pycolmap.estimate_calibrated_two_view_geometry(next(cameras), m.points0, next(cameras), m.points1, np.stack([rows, rows], 1), two)
        pose = found.cam2_from_cam1  # None: fewer than 15 inliers
        return pose and (pose.rotation.matrix(), pose.translation)

    estimate(name="pycolmap", version=version)(by_pycolmap)
    serve()


def _pydegensac(arguments):
    given = _given("pydegensac", arguments, max_iters=int, conf=float)
    pydegensac, version = _package("pydegensac")
    _notes["pydegensac", "clock"] = "pydegensac draws its samples by the clock: the next run has other values"

    def by_pydegensac(m):
        if m.of == "pose":
            raise ValueError("pydegensac estimates homographies and fundamental matrices, no poses")
        found, inliers = pydegensac.findHomography(m.points0, m.points1, m.threshold_px, **given)
        return found if np.any(inliers) else None

    estimate(name="pydegensac", version=version)(by_pydegensac)
    serve()


def _lines(path):
    """Yield the place and the fields of each line that is neither empty nor a comment."""
    with open(path, encoding="utf-8") as file:
        for n, line in enumerate(file, 1):
            if line.strip() and not line.startswith("#"):
                yield "%s: line %d" % (path, n), line.split()


def _floats(place, fields, want):
    if len(fields) != want:
        raise ValueError("%s: found %d numbers, want %d" % (place, len(fields), want))
    try:
        return np.array([float(field) for field in fields])
    except ValueError as fault:
        raise ValueError("%s: %s, want a number" % (place, fault))


def _matrix(path):
    return _floats(path, [field for _, fields in _lines(path) for field in fields], 16).reshape(4, 4)


def _text(*arrays):
    return " ".join(repr(float(value)) for array in arrays for value in np.ravel(array))


def _quaternion(place, t, w, x, y, z):
    """The pose of a translation and a quaternion."""
    length = np.linalg.norm([w, x, y, z])
    if not 0.99 < length < 1.01:
        raise ValueError("%s: found a quaternion of length %.3g, want 1" % (place, length))
    w, x, y, z = np.array([w, x, y, z]) / length
    pose = np.eye(4)
    pose[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    pose[:3, 3] = t
    return pose


def _view(place, name, pose, camera, to_world=False):
    """A line of views.txt, of a pose from the world to the camera or back."""
    R = pose[:3, :3]
    if not np.abs(R @ R.T - np.eye(3)).max() < 1e-3 or np.linalg.det(R) < 0:
        raise ValueError("%s: found a pose whose R is not a rotation, want R Rᵀ = 1 to 0.001" % place)
    pose = np.linalg.inv(pose) if to_world else pose
    return "%s %s %s" % (name, _text(pose[:3, :3], pose[:3, 3]), camera)


def _camera(place, fields):
    """MODEL W H and the parameters of a camera without distortion."""
    model, want = "".join(fields[:1]), {"PINHOLE": 6, "SIMPLE_PINHOLE": 5}
    if model not in want:
        raise ValueError("%s: found %s, want PINHOLE W H FX FY CX CY or SIMPLE_PINHOLE W H F CX CY of undistorted images" % (place, model or "no camera"))
    return " ".join(fields[:3]), _floats(place, fields[1:], want[model])[2:]


def _frames(pattern, name, camera):
    """Lines of views.txt of frames whose files of 4×4 numbers are poses from the camera to the world."""
    paths = sorted(glob.glob(pattern), key=lambda path: (len(path), path))  # 9.txt before 10.txt
    lines = [_view(path, name(os.path.basename(path)), pose, camera, True) for path, pose in zip(paths, map(_matrix, paths)) if np.isfinite(pose).all()]
    return lines + ["# left out, without a pose: %d of %d" % (len(paths) - len(lines), len(paths))]


def _scannet(folder, options):
    path = os.path.join(folder, "intrinsic", "intrinsic_color.txt")
    K = _matrix(path)
    if options.size is None or K[0, 1]:
        raise ValueError("%s: want --size W H of the images, and a camera without skew, found a skew of %g" % (path, K[0, 1]))
    return _frames(os.path.join(folder, "pose", "*.txt"), lambda name: "color/%s.jpg" % name[:-4],
                   "PINHOLE %d %d %s" % (*options.size, _text(K[0, 0], K[1, 1], K[:2, 2])))


def _seven_scenes(folder, options):
    return _frames(os.path.join(folder, "frame-*.pose.txt"), lambda name: name[:-9] + ".color.png", " ".join(options.camera))


def _tum(folder, options):
    """By the nearest pose within 20 ms, as by the data set's associate.py."""
    poses = [(place, _floats(place, fields, 8)) for place, fields in _lines(os.path.join(folder, "groundtruth.txt"))]
    lines, images = [], list(_lines(os.path.join(folder, "rgb.txt")))
    times = np.array([values[0] for _, values in poses])
    for place, fields in images:
        apart = np.abs(times - _floats(place, fields[:-1], 1))
        if apart.min(initial=1) <= 0.02:
            at, (_, *t, x, y, z, w) = poses[apart.argmin()]
            lines.append(_view(at, fields[-1], _quaternion(at, t, w, x, y, z), " ".join(options.camera), True))
    return lines + ["# left out, without a pose: %d of %d" % (len(images) - len(lines), len(images))]


def _colmap(folder, _):
    """COLMAP's (0, 0) is the corner of the first pixel."""
    cameras, lines = {}, []
    for place, fields in _lines(os.path.join(folder, "cameras.txt")):
        model, values = _camera(place, fields[1:])
        cameras[fields[0]] = "%s %s" % (model, _text(values[:-2], values[-2:] - 0.5))
    path = os.path.join(folder, "images.txt")
    with open(path, encoding="utf-8") as file:
        images = [("%s: line %d" % (path, n), line.split()) for n, line in enumerate(file, 1) if not line.startswith("#")]
    for place, fields in images[::2]:  # the lines between, which may be empty, are those of points
        if len(fields) != 10 or fields[8] not in cameras:
            raise ValueError("%s: want IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME, without blanks in NAME, a camera of cameras.txt" % place)
        values = _floats(place, fields[1:8], 7)
        lines.append(_view(place, fields[9], _quaternion(place, values[4:], *values[:4]), cameras[fields[8]]))
    return sorted(lines)


def _megadepth(path, _):
    """Names begin with the scene, so that pairs are grouped by it."""
    lines = []
    with open(path, encoding="utf-8") as file:
        pairs = json.load(file)
    for n, pair in enumerate(pairs, 1):
        names, matrices = pair.get("pair_names", []), [pair.get(key) for key in ("K0", "K1", "T_0to1")]
        if len(names) != 2 or [np.shape(matrix) for matrix in matrices] != [(3, 3), (3, 3), (4, 4)]:
            raise ValueError("%s: pair %d: want two pair_names, K0 and K1 of 3×3 numbers and T_0to1 of 4×4" % (path, n))
        lines.append("%s %s 0 0 %s" % (*(name.replace("Undistorted_SfM/", "", 1) for name in names), _text(*matrices)))
    return lines


def _scannet_pairs(path, _):
    """SuperGlue's list with the names of the images as ScanNet's own program exports them."""
    lines = []
    for place, fields in _lines(path):
        found = [re.search(r"(scene\d{4}_\d\d).*frame-(\d+)", name) for name in fields[:2]]
        if None in found or len(fields) != 38:
            raise ValueError("%s: want 38 fields, two names with sceneNNNN_NN and frame-N first" % place)
        lines.append(" ".join(["%s/color/%d.jpg" % (name[1], int(name[2])) for name in found] + fields[2:]))
    return lines


def _cameras(arguments):
    layouts = {"megadepth": _megadepth, "scannet-pairs": _scannet_pairs, "scannet": _scannet, "7scenes": _seven_scenes, "tum": _tum, "colmap": _colmap}
    parser = argparse.ArgumentParser(prog="python3 -m descbench cameras", description="Print the cameras of other layouts as descbench reads them.")
    parser.add_argument("layout", choices=layouts)
    parser.add_argument("path", help="megadepth: XFeat's megadepth_1500.json; scannet-pairs: SuperGlue's list; the others: the folder of a scene")
    parser.add_argument("--size", nargs=2, type=int, metavar=("W", "H"), help="of the images (scannet)")
    parser.add_argument("--camera", nargs="+", default=[], help="of the colour images (7scenes, tum): PINHOLE W H FX FY CX CY, (0, 0) is the first pixel's centre")
    options = parser.parse_args(arguments)
    try:
        if options.layout in ("7scenes", "tum"):
            _camera("--camera", options.camera)
        lines = layouts[options.layout](options.path, options)
        if all(line.startswith("#") for line in lines):
            raise ValueError("no image with a pose, want files of the layout " + options.layout)
        print("\n".join(lines))
    except (OSError, ValueError, AttributeError, TypeError) as fault:
        sys.exit("%s" % fault if options.path in str(fault) else "%s: %s" % (options.path, fault))


if __name__ == "__main__":
    servers = {"hdf5": _hdf5, "onnx": _onnx, "vismatch": _vismatch, "easy-local-features": _easy_local_features, "dual-softmax": _dual_softmax,
               "poselib": _poselib, "pycolmap": _pycolmap, "pydegensac": _pydegensac, "cameras": _cameras}
    if not set(sys.argv[1:2]) & set(servers):
        sys.exit("usage: python3 -m descbench hdf5 FILE [--origin corner] [--scaling RULE]\n       python3 -m descbench onnx FILE\n"
                 "       python3 -m descbench vismatch NAME [--max-num-keypoints N] [--device DEVICE]\n"
                 "       python3 -m descbench easy-local-features NAME [--device DEVICE]\n"
                 "       python3 -m descbench dual-softmax [--temperature T] [--min-score S]\n"
                 "       python3 -m descbench poselib | pycolmap | pydegensac [--help]\n"
                 "       python3 -m descbench cameras LAYOUT PATH [--size W H] [--camera MODEL W H PARAMETERS]")
    servers[sys.argv[1]](sys.argv[2:])
