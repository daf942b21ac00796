package features

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
	"descbench/pipeline/child"
	"descbench/pipeline/config"
	"descbench/pipeline/files/importer"
)

// BenchmarkProgram describes 2000 keypoints of an image of 1250×800 px by a program in
// Python that returns rows of 128 floats at once, and reads the same rows from an .npz.
func BenchmarkProgram(b *testing.B) {
	const count, dim = 2000, 128
	python := "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		b.Skip("no Python 3 with NumPy")
	}
	dir := b.TempDir()
	for name, text := range map[string]string{
		"descbench.py": child.Python,
		"zeros.py":     "import numpy, descbench\nrows = numpy.ones((2000, 128), numpy.float32)\n@descbench.describe\ndef ones(image, keypoints): return rows\ndescbench.serve()\n",
	} {
		must.Do(b, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	img := detecttest.Textured(1250, 800, 1).Image(b)
	set := keypoints.Set{Keypoints: make([]keypoints.Keypoint, count)}
	for i := range set.Keypoints {
		set.Keypoints[i] = keypoints.Keypoint{X: float32(i % 1250), Y: float32(i % 800), Size: 12, Angle: -1}
	}
	rows := descriptors.New(count, dim, descriptors.Float32)
	for i := range rows.Float32 {
		rows.Float32[i] = 1
	}
	file := filepath.Join(dir, "rows.npz")
	out, err := os.Create(file)
	if err == nil {
		err = importer.Export(out, set, 1250, 800, rows)
	}
	if err == nil {
		err = out.Close()
	}
	must.Do(b, err)
	p := newPrograms(slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	p.ctx = context.Background()
	defer p.close(nil)
	c := call{p, &config.Command{Key: "descriptors[ones]", Run: []string{python, "zeros.py"}, Folder: dir, Operation: config.Describe, Timeout: time.Minute, Instances: 1}, nil, 0}
	check := func(b *testing.B, m *descriptors.Matrix, err error) {
		if err != nil || m.Rows != count || m.Dim != dim || m.Float32[count*dim-1] != 1 {
			b.Fatal(err)
		}
	}
	b.Run("program", func(b *testing.B) {
		m, _, err := c.describe(img, set.Keypoints) // starts it
		for b.Loop() {
			m, _, err = c.describe(img, set.Keypoints)
		}
		check(b, m, err)
	})
	b.Run("npz", func(b *testing.B) {
		var f *importer.Features
		var err error
		for b.Loop() {
			f, err = importer.Read(file, 1250, 800, importer.Options{Origin: importer.Center})
		}
		must.Do(b, err)
		check(b, f.Descriptors, err)
	})
}
