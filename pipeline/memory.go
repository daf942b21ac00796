package pipeline

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// extractorBytes is the peak memory of detection and description in bytes per
// pixel, measured with OpenCV 4.6. SIFT keeps 11 float images of the doubled image
// and, for each further octave, of a quarter of it: 4·11·4·4/3 ≈ 235.
var extractorBytes = map[string]float64{"orb": 30, "brisk": 30, "surf": 45, "akaze": 110, "kaze": 530}

const siftBytes = 240 // SIFT and everything that builds on it

// decodedBytes is the memory of a decoded image in bytes per pixel: colour and
// grey. All images of a scene stay in memory.
const decodedBytes = 4

// bytesPerPixel returns the largest peak of a config's detectors and descriptors.
func bytesPerPixel(cfg *config.Config) float64 {
	most := 0.0
	add := func(kind string) {
		if b, ok := extractorBytes[kind]; ok {
			most = max(most, b)
		} else {
			most = max(most, siftBytes)
		}
	}
	for _, s := range cfg.KeypointSets {
		if s.Detect != nil && s.Detect.Command == nil {
			add(s.Detect.Type)
		}
	}
	for _, d := range cfg.Descriptors {
		if d.Fusion == nil && d.File == nil && d.Command == nil && d.Matches == nil {
			add(d.Type)
		}
	}
	return most
}

// checkMemory estimates the memory of the largest images that are processed at the
// same time. It warns if that is more than is available now, and returns an error
// if it is more than the machine or the container has.
func checkMemory(p *plan.Plan, opt plan.Options, total, available float64) error {
	if p.UnitsDone() == p.Units() {
		return nil
	}
	pixels, images := sortedSizes(p, p.Share(opt.Shard))
	need := func(jobs int) float64 { return memoryOfImages(p.Config, pixels, images, jobs) }
	fit := 0 // workers
	for fit < opt.Jobs && need(fit+1) <= total {
		fit++
	}
	text := func(has string, bytes float64) string {
		return fmt.Sprintf("%s: images of up to %.0f megapixels need about %s of memory with --jobs %d, %s %s",
			p.Config.Dataset.Root, float64(pixels[0])/1e6, humanize.BytesN(uint64(need(opt.Jobs)), 3), opt.Jobs, has, humanize.BytesN(uint64(bytes), 3))
	}
	switch {
	case fit == 0:
		return plan.Faultf("%s; exclude them with dataset.max_megapixels or dataset.scenes", text("but this machine or container has", total))
	case fit < opt.Jobs:
		return plan.Faultf("%s; use --jobs %d", text("but this machine or container has", total), fit)
	case need(opt.Jobs) > available:
		opt.Logger().Warn(text("but only", available) + " are available; if the run is killed, rerun it with a lower --jobs")
	}
	return nil
}

// sortedSizes returns the pixels of the images of some scenes, largest first,
// without those that are not decoded, and the largest number of images of a scene.
func sortedSizes(p *plan.Plan, scenes []string) (pixels []int, images int) {
	for _, scene := range scenes {
		sizes := plan.Source(p.Config.Dataset).Sizes(scene)
		images = max(images, len(sizes))
		for _, n := range sizes {
			if n <= p.Config.Dataset.MaxMegapixels*1e6 {
				pixels = append(pixels, n)
			}
		}
	}
	slices.SortFunc(pixels, func(a, b int) int { return b - a })
	return pixels, images
}

// memoryOfImages returns the memory in bytes of the largest images that a number of
// jobs processes at the same time, each with the other images of its scene.
func memoryOfImages(cfg *config.Config, sorted []int, images, jobs int) (sum float64) {
	each := bytesPerPixel(cfg) + float64(images)*decodedBytes
	for _, n := range sorted[:min(jobs, len(sorted))] {
		sum += each * float64(n)
	}
	return sum
}

// memory returns the memory of a machine with the given files, or of the control group (container)
// of this process if it has less, in bytes, and how much of it is available. Both are infinite if
// the system does not tell.
func memory(root fs.FS) (total, available float64) {
	total, available = math.Inf(1), math.Inf(1)
	for line := range strings.Lines(content(root, "proc/meminfo")) {
		switch f := strings.Fields(line); {
		case len(f) < 2:
		case f[0] == "MemTotal:":
			total = 1024 * amount(f[1])
		case f[0] == "MemAvailable:":
			available = 1024 * amount(f[1])
		}
	}
	limit := limitOfGroups(root)
	return min(total, limit), min(available, limit)
}

// limitOfGroups returns the least limit of the process's control groups and of the groups that
// contain them, of version 2 and of version 1 (cgroups(7)). Inside a container, the root is its own.
func limitOfGroups(root fs.FS) float64 {
	limit := math.Inf(1)
	for line := range strings.Lines("0::/\n" + content(root, "proc/self/cgroup")) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // NUMBER:CONTROLLERS:PATH
		for at := fields[len(fields)-1]; at != ""; at = strings.TrimSuffix(path.Dir(at), ".") {
			limit = min(limit, amount(content(root, path.Join("sys/fs/cgroup", at, "memory.max"))),
				amount(content(root, path.Join("sys/fs/cgroup/memory", at, "memory.limit_in_bytes"))))
			if at == "/" {
				break
			}
		}
	}
	return limit
}

// content returns the text of a file, "" without it.
func content(root fs.FS, file string) string {
	text, _ := fs.ReadFile(root, file)
	return string(text)
}

// amount parses a number; anything else, such as max, means no limit.
func amount(text string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return math.Inf(1)
	}
	return v
}
