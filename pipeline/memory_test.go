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

	"descbench/pipeline/plan"
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
	if err := os.MkdirAll(scene, 0o777); err != nil {
		t.Fatal(err)
	}
	for k := 1; k <= 6; k++ {
		data := pngHeader(6000, 5000) // 30 megapixels: 30e6 · (240 + 24) bytes = 7.92 GB
		if k == 6 {
			data = []byte("P5\n100 200\n255\n")
		}
		if err := os.WriteFile(filepath.Join(scene, fmt.Sprintf("%d.png", k)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := plan.Find(loadText(t, dir, strings.ReplaceAll(fmt.Sprintf(twoScenes, "s"), "type: orb", "type: sift")))
	if err != nil {
		t.Fatal(err)
	}
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		jobs             int
		total, available float64
		fault, warning   string
	}{
		"enough":        {2, 32e9, 16e9, "", ""},
		"unknown":       {8, inf, inf, "", ""},
		"five images":   {8, 40e9, 39.7e9, "", ""},
		"busy machine":  {2, 32e9, 8e9, "", "need about 15.8 GB of memory with --jobs 2, but only 8.0 GB are available; if the run is killed, rerun it with a lower --jobs"},
		"small machine": {4, 16e9, 8e9, "data: images of up to 30 megapixels need about 31.7 GB of memory with --jobs 4, but this machine or container has 16.0 GB; use --jobs 2", ""},
		"tiny machine":  {4, 4e9, 3e9, "need about 31.7 GB of memory with --jobs 4, but this machine or container has 4.0 GB; exclude them with dataset.max_megapixels or dataset.scenes", ""},
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
	if err := checkMemory(p, quietOptions(""), 1e9, 1e9); err != nil {
		t.Errorf("error is %v, want that images beyond the limit do not count", err)
	}
}

func TestTheMemoryOfThisMachineIsKnown(t *testing.T) {
	if total, available := memory(); !(total > 1e8) || !(available > 0) {
		t.Errorf("total %g, available %g bytes", total, available)
	}
}
