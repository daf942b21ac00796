package main

import (
	"bytes"
	"fmt"
	"os/exec"
)

// python is Debian's interpreter, for which its packages are installed; another one
// on the PATH does not see them. peersVariable tells benchmarks to run their peers
// in it.
const (
	python        = "/usr/bin/python3"
	peersVariable = "BENCH_PEERS"
)

// checkPeers returns an error that says what is missing. OpenCV's side of the table
// needs no Python.
func checkPeers() error {
	const probe = `
import importlib.util
missing = []
if importlib.util.find_spec("numpy") is None:
    missing.append("python3-numpy libopenblas0-pthread")
else:
    import numpy
    with open("/proc/self/maps") as maps:
        if "openblas" not in maps.read():
            missing.append("libopenblas0-pthread")
if importlib.util.find_spec("faiss") is None:
    missing.append("python3-faiss")
print(*missing)`
	out, err := exec.Command(python, "-c", probe).Output()
	if err != nil {
		return fmt.Errorf("%s: %w; install python3", python, err)
	}
	if missing := bytes.TrimSpace(out); len(missing) > 0 {
		return fmt.Errorf("%s lacks what the peers need: apt-get install %s", python, missing)
	}
	return nil
}
