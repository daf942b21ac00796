// Package container builds the Dockerfile and runs the image as its users do. It
// needs neither a daemon nor a registry: buildah builds on a base image that debootstrap
// makes, podman runs it. make test-container installs them and runs these tests.
package container

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"descbench/eval/must"
)

var suite = flag.String("container.suite", "", "release of the base image, e.g. bookworm; native and container results are compared if both have the same OpenCV")

// user runs the image: neither root nor the user of the image.
const user = 4321

const image = "localhost/descbench"

// withPython is the image of the target python.
const withPython = image + "-python"

func TestTheImageComputesWithAReadOnlyRootWhatTheNativeProgramDoes(t *testing.T) {
	if *suite == "" {
		t.Skip("takes minutes; make test-container builds and runs the image: -container.suite bookworm")
	}
	if os.Getuid() != 0 {
		t.Skip("debootstrap and buildah make the base image as root only")
	}
	for _, name := range []string{"debootstrap", "buildah", "podman", "runc"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed; make test-container installs it and runs this test", name)
		}
	}
	root := must.Get(filepath.Abs(filepath.Join("..", "..", "..")))(t)
	e := newEngine(t)
	base := e.base(root)
	e.build(root, base, "--tag", image)
	t.Logf("image: %s bytes", e.inspect(image, "{{.Size}}"))
	if got := e.inspect(image, "{{.User}}"); got != "10001" {
		t.Errorf("the image's user is %q, want 10001", got)
	}

	native := filepath.Join(t.TempDir(), "descbench")
	do(t, root, "go", "build", "-buildvcs=false", "-o", native, "./cmd/descbench")

	work := t.TempDir()
	must.Do(t, os.Chown(work, user, user))
	e.run([]string{"--read-only", "--read-only-tmpfs=false", "--user", "4321:4321", "--volume", work + ":/work"},
		"run", "/usr/share/descbench/configs/demo.yaml", "--out", "runs", "--quiet")
	inside := filepath.Join(work, "runs", "demo")
	ownedBy(t, user, inside, filepath.Join(work, ".cache", "descbench"))

	if a, b := openCV(do(t, root, native, "version")), openCV(e.run(nil, "version")); a != b {
		t.Fatalf("this machine has OpenCV %s, the image %s, want the same to compare results", a, b)
	}
	outside := t.TempDir()
	do(t, root, native, "run", "configs/demo.yaml", "--out", outside, "--cache", filepath.Join(outside, "cache"), "--quiet")
	for _, name := range []string{"metrics.csv", "queries.parquet"} {
		want, err1 := os.ReadFile(filepath.Join(outside, "demo", name))
		got, err2 := os.ReadFile(filepath.Join(inside, name))
		if err1 != nil || err2 != nil || !bytes.Equal(want, got) {
			t.Errorf("%s of the container differs from that of the native program (%v, %v)", name, err1, err2)
		}
	}

	network(e, root, base)
	e.run(nil, "run", "configs/demo.yaml", "--quiet") // as in the Dockerfile: nothing mounted
	e.run(nil, "doctor", "configs/demo.yaml")
}

// network runs an ONNX file in the image of the target python. If the machine that the test
// runs on has a folder of wheels, the image is made of these, without an index.
func network(e engine, root, base string) {
	t := e.t
	args := []string{"--target", "python", "--tag", withPython}
	if wheels := os.Getenv("DESCBENCH_TEST_WHEELS"); wheels != "" {
		args = append(args, "--volume", wheels+":/wheels:ro", "--build-arg", "PIP_NO_INDEX=1", "--build-arg", "PIP_FIND_LINKS=/wheels")
	}
	e.build(root, base, args...)
	t.Logf("image with Python: %s bytes", e.inspect(withPython, "{{.Size}}"))
	work := t.TempDir()
	do(t, root, "cp", "pipeline/child/testdata/networks/hardnet_opset18.onnx", filepath.Join(work, "net.onnx"))
	if err := os.WriteFile(filepath.Join(work, "onnx.yaml"), []byte(`
experiment: {name: onnx}
dataset: {root: /usr/share/descbench/testdata/scenes, scenes: [v_synth_001]}
keypoint_sets: [{name: points, detect: {type: sift}, border: 40, top: {by: response, per_image: 100}}]
descriptors: [{name: net, type: command, run: [python3, -m, descbench, onnx, net.onnx], files: [net.onnx], operation: patches}]
output: {root: runs}
`), 0o666); err != nil {
		t.Fatal(err)
	}
	do(t, root, "chown", "-R", "4321:4321", work)
	out := e.runImage(withPython, []string{"--read-only", "--user", "4321:4321", "--volume", work + ":/work"}, "run", "onnx.yaml", "--quiet")
	summary, err := os.ReadFile(filepath.Join(work, "runs", "onnx", "summary.json"))
	if err != nil || !bytes.Contains(summary, []byte(`"scenes_evaluated": 1,`)) {
		t.Errorf("the network's run did not evaluate its scene (%v) and says\n%s", err, out)
	}
}

// An engine is buildah and podman with images of their own, which end with the test.
type engine struct {
	t       *testing.T
	dir     string
	storage []string // flags
}

func newEngine(t *testing.T) engine {
	dir, err := os.MkdirTemp("/var/tmp", "descbench-container-") // some gigabytes: not in memory
	must.Do(t, err)
	e := engine{t, dir, []string{"--root", filepath.Join(dir, "storage"), "--runroot", filepath.Join(dir, "run"), "--storage-driver", "vfs"}}
	t.Cleanup(func() { // podman keeps the storage mounted
		_ = syscall.Unmount(filepath.Join(dir, "storage", "vfs"), 0)
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return e
}

// base makes the base image and returns its name.
func (e engine) base(root string) string {
	folder := filepath.Join(e.dir, "base")
	do(e.t, root, ".ci/base", *suite, folder)
	c := strings.TrimSpace(e.buildah("from", "scratch"))
	e.buildah("add", "--quiet", c, folder, "/")
	name := "localhost/" + *suite
	e.buildah("commit", "--quiet", "--rm", c, name)
	if err := os.RemoveAll(folder); err != nil {
		e.t.Fatal(err)
	}
	return name
}

// build builds the Dockerfile. It shares Go's caches with this test.
func (e engine) build(root, base string, args ...string) {
	caches := strings.Fields(do(e.t, root, "go", "env", "GOMODCACHE", "GOCACHE"))
	e.buildah(slices.Concat([]string{"bud", "--isolation", "chroot", "--build-arg", "BASE=" + base, "--build-arg", "VERSION=test",
		"--volume", caches[0] + ":/root/go/pkg/mod", "--volume", caches[1] + ":/root/.cache/go-build"}, args, []string{root})...)
}

func (e engine) buildah(args ...string) string {
	return do(e.t, ".", "buildah", append(slices.Clone(e.storage), args...)...)
}

// run runs the image without a network and returns what it prints. Limits are given,
// because podman raises them otherwise, for which root of a sandbox has no right.
func (e engine) run(flags []string, args ...string) string { return e.runImage(image, flags, args...) }

func (e engine) runImage(image string, flags []string, args ...string) string {
	words := slices.Concat(e.storage, []string{"--runtime", "runc", "--cgroup-manager", "cgroupfs", "run", "--rm", "--network", "none",
		"--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"}, flags, []string{image}, args)
	return do(e.t, ".", "podman", words...)
}

func (e engine) inspect(image, format string) string {
	return strings.TrimSpace(do(e.t, ".", "podman", append(slices.Clone(e.storage), "image", "inspect", "--format", format, image)...))
}

func do(t *testing.T, dir, name string, args ...string) (stdout string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", strings.Join(cmd.Args, " "), err, out, stderr.String())
	}
	return string(out)
}

// openCV returns the version of OpenCV that descbench version prints.
func openCV(version string) string {
	_, after, _ := strings.Cut(version, "OpenCV ")
	return strings.Fields(after + " ?")[0]
}

func ownedBy(t *testing.T, user uint32, paths ...string) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Error(err)
		} else if got := info.Sys().(*syscall.Stat_t).Uid; got != user {
			t.Errorf("%s belongs to user %d, want %d", path, got, user)
		}
	}
}
