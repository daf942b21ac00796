package pipeline

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"descbench/eval/must"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
)

// pngHeader is the beginning of a PNG, which is enough to know its size.
func pngHeader(width, height uint32) []byte {
	ihdr := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	ihdr = append(binary.BigEndian.AppendUint32(ihdr, height), 8, 0, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\r"), ihdr...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(ihdr))
}

func TestMemoryIsEstimatedBeforeWorkBegins(t *testing.T) {
	dir := t.TempDir()
	scene := filepath.Join(dir, "data", "v_x")
	must.Do(t, os.MkdirAll(scene, 0o777))
	for k := 1; k <= 6; k++ {
		data := pngHeader(6000, 5000) // 30 megapixels: 30e6 · (240 + 24) bytes = 7.92 GB
		if k == 6 {
			data = []byte("P5\n100 200\n255\n")
		}
		must.Do(t, os.WriteFile(filepath.Join(scene, fmt.Sprintf("%d.png", k)), data, 0o666))
	}
	p, err := plan.Find(configtest.Load(t, dir, strings.ReplaceAll(fmt.Sprintf(twoScenes, "s"), "type: orb", "type: sift")))
	must.Do(t, err)
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		jobs             int
		total, available float64
		fault, warning   string
	}{
		"enough":        {2, 32e9, 16e9, "", ""},
		"unknown":       {8, inf, inf, "", ""},
		"five images":   {8, 40e9, 39.7e9, "", ""},
		"busy machine":  {2, 32e9, 8e9, "", "need about 15.8 GB of memory with --jobs 2, but only 8.00 GB are available; if the run is killed, rerun it with a lower --jobs"},
		"small machine": {4, 16e9, 8e9, "data: images of up to 30 megapixels need about 31.7 GB of memory with --jobs 4, but this machine or container has 16.0 GB; use --jobs 2", ""},
		"tiny machine":  {4, 4e9, 3e9, "need about 31.7 GB of memory with --jobs 4, but this machine or container has 4.00 GB; exclude them with dataset.max_megapixels or dataset.scenes", ""},
	} {
		var log bytes.Buffer
		err := checkMemory(p, plan.Options{Jobs: c.jobs, Log: slog.New(slog.NewTextHandler(&log, nil))}, c.total, c.available)
		var fault *plan.DataError
		if (err != nil) != (c.fault != "") || err != nil && (!errors.As(err, &fault) || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: error is %v, want %q", name, err, c.fault)
		}
		if (log.Len() > 0) != (c.warning != "") || !strings.Contains(log.String(), c.warning) {
			t.Errorf("%s: warning is %s, want %q", name, log.String(), c.warning)
		}
	}
	p.Config.Dataset.MaxMegapixels = 29
	if err := checkMemory(p, plantest.Options(""), 1e9, 1e9); err != nil {
		t.Errorf("error is %v, want that images beyond the limit do not count", err)
	}
}

func TestTheMemoryOfAContainerIsThatOfItsControlGroups(t *testing.T) {
	const meminfo = "MemTotal:       16000000 kB\nMemFree: 1 kB\nMemAvailable:    8000000 kB\n"
	for name, c := range map[string]struct {
		files            map[string]string
		total, available float64
	}{
		"nothing known":    {nil, math.Inf(1), math.Inf(1)},
		"no limit":         {map[string]string{"proc/self/cgroup": "0::/user\n", "sys/fs/cgroup/user/memory.max": "max\n"}, 16384e6, 8192e6},
		"inside container": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "4000000000\n"}, 4e9, 4e9},
		"limit of the group that contains it": {map[string]string{
			"proc/self/cgroup": "0::/slurm/job/step\n", "sys/fs/cgroup/slurm/job/memory.max": "10000000000\n", "sys/fs/cgroup/slurm/job/step/memory.max": "max\n",
		}, 10e9, 8192e6},
		"version 1": {map[string]string{
			"proc/self/cgroup": "5:cpu:/slurm\n4:memory:/slurm/job\n1:name=systemd:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/fs/cgroup/memory/slurm/job/memory.limit_in_bytes": "2000000000\n", "sys/fs/cgroup/memory/slurm/memory.limit_in_bytes": "3000000000\n",
		}, 2e9, 2e9},
	} {
		root := fstest.MapFS{}
		for path, text := range c.files {
			root["proc/meminfo"] = &fstest.MapFile{Data: []byte(meminfo)}
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if total, available := memory(root); total != c.total || available != c.available {
			t.Errorf("%s: got %g, %g bytes; want %g, %g", name, total, available, c.total, c.available)
		}
	}
}

func TestTheMemoryOfThisMachineIsKnown(t *testing.T) {
	if total, available := memory(os.DirFS("/")); !(total > 1e8) || !(available > 0) {
		t.Errorf("total %g, available %g bytes", total, available)
	}
}
