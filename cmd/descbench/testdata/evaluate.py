"""Tests of descbench.evaluate on one scene. Its arguments are names of tests; none: all."""
import asyncio
import contextlib
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import traceback
import warnings

import numpy as np

import descbench

few = dict(data="testdata/scenes", dataset={"scenes": ["v_synth_001"]}, keypoints={"top": {"by": "response", "per_image": 60}})
scene_of_6 = 6 + 3  # images, of which the first is computed again to warm up, to check at once, and at the end


def pixels(image, keypoints):
    x, y = np.round(keypoints[:, :2]).astype(int).T
    return np.concatenate([image[y + j, x + i] for j in range(-3, 4, 3) for i in range(-3, 4, 3)], 1).astype(np.float32)


class Counter:
    """An object with a state."""

    def __init__(self):
        self.calls, self.threads = 0, set()

    def describe(self, image, keypoints):
        self.calls += 1
        self.threads.add(threading.get_ident())
        return pixels(image, keypoints)


def fails(error, call, *parts):
    try:
        call()
    except error as fault:
        text = str(fault)
        assert all(part in text for part in parts), "%s, want %s" % (text, parts)
        return fault
    raise AssertionError("no %s" % error.__name__)


def entries():
    return sorted(path.name for path in pathlib.Path(os.environ["DESCBENCH_CACHE"]).glob("[df]*/??/*"))


def test_an_object_of_the_caller_is_called_and_nothing_of_it_is_cached():
    counter = Counter()
    descbench.evaluate([], baseline="sift", **few)
    before = entries()
    for calls in 1, 2:
        result = descbench.evaluate({"counted": counter.describe}, baseline="sift", **few)
        assert scene_of_6 * calls <= counter.calls <= (scene_of_6 + 6) * calls, counter.calls
    assert counter.threads == {threading.get_ident()}
    assert list(result) == ["sift", "counted"] and str(result).startswith("Results of evaluate-")
    assert entries() == before


def test_results_are_those_of_a_program_in_a_config():
    with open("own.py", "w") as file:
        file.write("import numpy as np\nimport descbench\nfrom evaluate import pixels\ndescbench.describe(pixels)\ndescbench.serve()\n")
    config = {"experiment": {"name": "served"}, "dataset": {"root": "testdata/scenes", "scenes": ["v_synth_001"]},
              "keypoint_sets": [{"name": "points", "detect": {"type": "sift"}, "border": 40, "top": {"by": "response", "per_image": 60}}],
              "descriptors": [{"name": "pixels", "type": "command", "run": [sys.executable, "own.py"]}]}
    subprocess.run(["descbench", "run", "-", "--quiet"], input=json.dumps(config).encode(), stdout=subprocess.DEVNULL, check=True)
    want, got = descbench.Result("runs/served")["pixels"], descbench.evaluate(pixels, **few)["pixels"]
    assert len(want) > 50 and all(got[name] == want[name] for name in want if want[name] == want[name])


def test_a_version_is_cached_and_tells_a_run_folder_of_another():
    counter = Counter()
    for version, calls in (1, scene_of_6), (1, 2), (2, scene_of_6):
        function = descbench.describe(name="versioned", version=version)(lambda image, keypoints: counter.describe(image, keypoints))
        counter.calls = 0
        descbench.evaluate(function, **few)
        assert calls <= counter.calls <= calls + calls // 2, counter.calls
        if version == 1:
            descbench.evaluate(function, out="runs/versioned", **few)  # also a second time
    fails(descbench.Error, lambda: descbench.evaluate(function, out="runs/versioned", **few), "descriptors[versioned].function: versioned 1 -> versioned 2")
    descbench.evaluate(function, out="runs/versioned", overwrite=True, **few)
    fails(descbench.Error, lambda: descbench.evaluate({"versioned": pixels}, out="runs/versioned", **few), "runs/versioned: exists, and a function without a version cannot resume it; pass overwrite=True")


def test_failed_scenes_are_told_and_counted():
    def broken(image, keypoints, info):
        return pixels(image, keypoints)[:3 if info["scene"] == "i_synth_001" else None]

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        result = descbench.evaluate(broken, baseline="sift", **{**few, "dataset": {"scenes": ["i_synth_001", "v_synth_001"]}})
    assert len(told) == 1 and str(told[0].message).startswith("1 of 2 scenes failed") and told[0].filename == __file__, told
    assert list(result.failed) == ["i_synth_001"] and result.failed["i_synth_001"].startswith("broken: i_synth_001/") and result.failed["i_synth_001"] in str(told[0].message)
    assert result.scenes == {"sift": 2, "broken": 1} and result.scenes_requested == 2
    assert "1 to 2 of 2 selected scenes" in result.text and "FAILED (excluded for this descriptor): i_synth_001" in result.text, result.text
    assert "against broken" in result.compare("broken")
    table = result.table(columns="mma@3,map_macro", notes=True)
    assert "mma@3" in table and "map_macro" in table and "--notes" not in table, table
    fails(ValueError, lambda: result.compare("surf"), "surf: want a Result, a run folder, or a descriptor of this run: sift, broken")
    columns = set(result["sift"])
    assert result["sift"]["map_macro"] != result["broken"]["map_macro"] and set(result["sift"]) == columns
    try:
        import pandas  # noqa: F401
    except ImportError:
        fails(ImportError, result.to_pandas, "to_pandas needs pandas")
    else:
        frame = result.to_pandas()
        assert list(frame["scenes"]) == [2, 1] and list(frame["scenes_requested"]) == [2, 2]
        assert all(frame["map_macro"][name] == result[name]["map_macro"] for name in result) and len(frame.columns) > len(columns)


def test_every_kind_of_function():
    def corners(image):
        y, x = np.mgrid[60:300:20, 60:300:20].reshape(2, -1)
        points = np.stack([x, y, 0 * x + 8, 0 * x - 1], 1)
        return {"keypoints": points, "descriptors": pixels(image, points), "scores": 1 / (1.0 + x)}

    def nearest(a, b):
        return (a.descriptors @ b.descriptors.T).argmax(1)

    def fixed(a, b):
        assert a.keypoints is None
        return {"keypoints0": [[50, 50]], "keypoints1": [[50, 50]]}

    def flat(patches):
        return patches.reshape(len(patches), -1)

    result = descbench.evaluate([pixels, nearest, corners], baseline="sift", **few)
    assert list(result) == ["sift", "pixels", "nearest", "corners"]
    assert result["corners"]["keypoints"] == 6 * 60  # keys of the set hold for detectors, too
    assert result["nearest"]["matches_per_pair"] == 60 and "true_map_micro" not in result["nearest"]
    result = descbench.evaluate(pixels, **{**few, "keypoints": corners})
    assert result["pixels"]["keypoints"] == 6 * 144 and result["pixels"]["gallery"] == 144
    assert descbench.evaluate(fixed, **{**few, "keypoints": False})["fixed"]["matches_per_pair"] == 1
    assert descbench.evaluate(flat, patches={"input_size": 8}, **few)["flat"]["map"] > 0.2
    result = descbench.evaluate([], baseline=["sift", "rootsift", {"name": "same", "type": "sift", "root": "l1"}], **few)
    assert result["rootsift"]["map"] == result["same"]["map"] != result["sift"]["map"]
    fails(TypeError, lambda: descbench.evaluate(lambda x, y: x, **few), "<lambda>(x, y): want parameters (image, keypoints)")
    fails(ValueError, lambda: descbench.evaluate(lambda image: 0, **few), "a lambda has no name: pass {'name': function}")
    for wrong, meant in ("baselin", "baseline"), ("dat", "data"), ("Baseline", "baseline"):
        fails(TypeError, lambda: descbench.evaluate(pixels, **{wrong: "sift"}), "no argument %s (did you mean %s?)" % (wrong, meant))
    fails(ValueError, lambda: descbench.evaluate([pixels, lambda image: 0, lambda image: 1], **few), "several functions are called <lambda>")


def test_keys_are_names_short_names_and_titles():
    result = descbench.evaluate(pixels, preset="gluefactory", **few)
    pixel = result["pixels"]
    assert pixel["map"] == pixel["true_map_micro"] > 0.1
    assert pixel["H_error_ransac@5px"] == pixel["ransac_0.5px_3000it_opencv_wh_homography_auc@5"]
    fails(KeyError, lambda: pixel["H_error_dlt"], "did you mean H_error_dlt@1px or H_error_dlt@3px or H_error_dlt@5px")
    fails(KeyError, lambda: pixel["magsac_homography_auc@5"], "(did you mean homography_auc@5?)")
    fails(KeyError, lambda: pixel["mapp"], "did you mean map?")
    fails(KeyError, lambda: result["pixel"], "pixel: want one of pixels")
    assert result.figure("mma").startswith("<svg") or "<svg" in result.figure("mma")


def test_runs_are_compared_and_never_overwritten():
    results = [descbench.evaluate(pixels, evaluation={"relevance": "position"}, **few) for _ in range(2)]
    assert len({result.folder for result in results}) == 2 and all(pathlib.Path(result.folder, "summary.json").exists() for result in results)
    first, second = ("%s:pixels" % os.path.basename(result.folder) for result in results)
    table = results[1].compare(results[0], metric="hit@1")
    assert "against %s" % first in table and any(line.split()[:1] == [second] for line in table.splitlines()), table
    assert repr(table) == str(table)


def test_a_config_is_a_file_or_a_dict():
    config = {"experiment": {"name": "own"}, "dataset": {"root": "../testdata/scenes", "scenes": ["v_synth_001"]}, "evaluation": {"cutoffs": [1, 7]},
              "keypoint_sets": [{"name": "few", "detect": {"type": "orb"}, "border": 20, "top": {"by": "response", "per_image": 50}}],
              "descriptors": [{"name": "orb", "type": "orb"}]}
    os.makedirs("folder", exist_ok=True)
    with open("folder/own.yaml", "w") as file:
        json.dump(config, file)  # is YAML, too
    result = descbench.evaluate(pixels, config="folder/own.yaml", preset="gluefactory", evaluation={"relevance": "position"}, out="runs/configured")
    assert list(result) == ["orb", "pixels"] and result["pixels"]["keypoints"] == 300
    assert "relevance: position" in pathlib.Path(result.folder, "config.yaml").read_text()
    assert "H_error_dlt@1px" in result.text and "hit@7" not in result.text
    config["dataset"]["root"] = "testdata/scenes"
    assert descbench.evaluate(pixels, config=config)["pixels"]["hit@7"] > 0
    fails(descbench.Error, lambda: descbench.evaluate(pixels, preset="gluefactry", **few), "evaluation.preset", "did you mean gluefactory?")
    fails(descbench.Error, lambda: descbench.evaluate(pixels, relevance="position", **few), "unknown key", "did you mean evaluation.relevance?")
    fails(descbench.Error, lambda: descbench.evaluate(pixels, **{**few, "data": "nowhere"}), "no such folder", "in Python: --data is evaluate(data=...), --set is evaluate(SECTION={")


def test_an_exception_is_raised_with_its_traceback():
    def broken(image, keypoints):
        return image["a"]

    there = set(os.listdir("runs"))
    for parallel in False, True:
        fault = fails(IndexError, lambda: descbench.evaluate(broken, parallel=parallel, **few))
        assert traceback.extract_tb(fault.__traceback__)[-1].name == "broken"
    assert set(os.listdir("runs")) == there
    fails(descbench.Error, lambda: descbench.evaluate({"short": lambda image, keypoints: pixels(image, keypoints)[1:]}, **few), "one row per keypoint")
    fails(descbench.Error, lambda: descbench.evaluate({"short": lambda image, keypoints: pixels(image, keypoints)[1:]}, baseline="sift", **few), "short failed in all scenes, in the first because of ", "one row per keypoint")


def test_an_interrupt_ends_both():
    def interrupted(image, keypoints):
        os.kill(os.getpid(), signal.SIGINT)
        return pixels(image, keypoints)

    there = set(os.listdir("runs"))
    fails(KeyboardInterrupt, lambda: descbench.evaluate(interrupted, **few))
    assert set(os.listdir("runs")) == there
    children = pathlib.Path("/proc/self/task/%d/children" % threading.get_native_id()).read_text().split()
    assert not children, children


def test_threads_and_event_loops():
    got = []
    thread = threading.Thread(target=lambda: got.append(descbench.evaluate(pixels, **few)))
    thread.start()
    thread.join()

    async def notebook():
        return descbench.evaluate(pixels, **few)

    assert got[0]["pixels"]["map"] == asyncio.run(notebook())["pixels"]["map"]


def test_calls_come_one_at_a_time_unless_parallel():
    both, together = threading.Semaphore(0), []

    def one(image, keypoints):
        both.release()  # for the other call
        together.append(len(together) > 1 or both.acquire(timeout=20) and both.acquire(timeout=20 if parallel else 0))
        return pixels(image, keypoints)

    for parallel in False, True:
        together.clear()
        descbench.evaluate(one, data="testdata/scenes", keypoints=few["keypoints"], jobs=2, parallel=parallel)
        assert together[0] == parallel, together


def test_progress_and_warnings_are_printed_for_people():
    told = io.StringIO()
    with contextlib.redirect_stderr(told):
        descbench.evaluate({"nan": lambda image, keypoints: pixels(image, keypoints) / (keypoints[:, :1] > 100)}, **few)
    assert "1 of 1 unit, now computing the results" in told.getvalue()
    assert "warning: rows with NaN or Inf are treated as invalid and rank last; program: descriptors[nan]; first: v_synth_001/" in told.getvalue()


if __name__ == "__main__":
    failed = 0
    for name in sys.argv[1:] or [name for name in list(globals()) if name.startswith("test_")]:
        try:
            globals()[name]()
        except BaseException:
            failed += 1
            print(name, traceback.format_exc(), sep=": ", file=sys.stderr)
    sys.exit(failed > 0)
