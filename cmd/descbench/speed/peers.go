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
	peersVariable = "DESCBENCH_PEERS"
)

// checkPeers returns an error that says what is missing.
func checkPeers() error {
	const probe = `
import importlib.util
packages = {"numpy": "python3-numpy", "cv2": "python3-opencv", "faiss": "python3-faiss"}
missing = [package for module, package in packages.items() if importlib.util.find_spec(module) is None]
if "python3-numpy" not in missing:
    import numpy
    with open("/proc/self/maps") as maps:
        if "openblas" not in maps.read():
            missing.append("libopenblas0-pthread")
print(*missing)`
	out, err := exec.Command(python, "-c", probe).Output()
	if err != nil {
		return fmt.Errorf("%s: %w; install python3", python, err)
	}
	if missing := bytes.TrimSpace(out); len(missing) > 0 {
		return fmt.Errorf("missing: %s; install with apt-get install %s", missing, missing)
	}
	return nil
}
