package plan

import (
	"bufio"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"descbench/descriptors/extract"
	"descbench/eval/fact"
	"descbench/eval/nearest"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/files"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/store/unitfile"
)

// An Environment records the software and hardware of a run: what its results
// may depend on in addition to config and data, and what readers of the results
// may want to know. The processor and the kernel, and OpenCV's BLAS library, do not matter to
// the bytes of the results: OpenCV's dispatch level does.
type Environment struct {
	Program   string `json:"program"`
	Go        string `json:"go"`
	GoCV      string `json:"gocv"`
	OpenCV    string `json:"opencv"`
	Dispatch  string `json:"opencv_dispatch"`
	Extractor int    `json:"extractor"`
	SURF      string `json:"surf"`
	// Importer is the version of what reads imported descriptors; 0 if the run
	// has none.
	Importer     int    `json:"importer,omitempty"`
	CPU          string `json:"cpu"`
	Kernel       string `json:"kernel"`
	Architecture string `json:"architecture"`
	// Programs are the user's programs that the run starts, by their keys in the config.
	Programs map[string]Program `json:"programs,omitempty"`
	// Notes are what programs and imported files say for readers of the results, and which folders are no scenes, sorted.
	Notes []fact.Fact `json:"notes,omitempty"`
	// Scenes maps each evaluated scene to its digest. Fold fills it in.
	Scenes map[string]string `json:"scenes,omitempty"`
}

// CurrentEnvironment returns the environment of this process.
func CurrentEnvironment(version string) Environment {
	return Environment{
		Program:      version,
		Go:           runtime.Version(),
		GoCV:         detect.GoCVVersion(),
		OpenCV:       detect.OpenCVVersion(),
		Dispatch:     detect.Dispatch(),
		Extractor:    extract.Version,
		SURF:         extract.SURFImplementation,
		CPU:          cpuName(),
		Kernel:       nearest.Default(),
		Architecture: runtime.GOARCH,
	}
}

// EnvironmentOf returns the environment of this process for the descriptors of a
// config.
func EnvironmentOf(cfg *config.Config, version string) (Environment, error) {
	e := CurrentEnvironment(version)
	if slices.ContainsFunc(cfg.Descriptors, func(d config.Descriptor) bool { return d.File != nil }) {
		e.Importer = importer.Version
	}
	var err error
	e.Programs, err = ProgramsOf(cfg)
	return e, err
}

// differences lists the differences between two environments that change
// extracted values, so that their units must not be mixed.
func (e Environment) differences(now Environment) []string {
	d := e.OtherSoftware(now)
	if now.Importer != 0 { // not of a part of the config that imports nothing
		d = append(d, changed("importer version", e.Importer, now.Importer)...)
	}
	return append(d, programDifferences(e.Programs, now.Programs)...)
}

// OtherSoftware lists the differences between two environments in what detects and
// describes keypoints, and in the type of processor, on which OpenCV's values depend.
func (e Environment) OtherSoftware(now Environment) []string {
	d := changed("OpenCV", e.OpenCV, now.OpenCV)
	d = append(d, changed("extractor version", e.Extractor, now.Extractor)...)
	d = append(d, changed("SURF", e.SURF, now.SURF)...)
	return append(d, e.otherProcessor(now)...)
}

// otherProcessor lists the differences between two environments in the type of processor.
func (e Environment) otherProcessor(now Environment) []string {
	return append(changed("OpenCV's CPU dispatch level", e.Dispatch, now.Dispatch), changed("architecture", e.Architecture, now.Architecture)...)
}

// changed returns what changed, if it did.
func changed[T comparable](name string, was, is T) []string {
	if was == is {
		return nil
	}
	return []string{fmt.Sprintf("%s: %v -> %v", name, was, is)}
}

// ExtractionKey returns the part of the environment that cached detections and
// features depend on.
func (e Environment) ExtractionKey() string {
	return fmt.Sprintf("extractor %d, SURF %s, OpenCV %s, %s, %s", e.Extractor, e.SURF, e.OpenCV, e.Dispatch, e.Architecture)
}

// Identity returns a digest of what determines a run's results: its config and
// its data, as the digests of scenes.
func Identity(cfg *config.Config, scenes map[string]string) string {
	parts := []string{cfg.Identity()}
	for _, scene := range slices.Sorted(maps.Keys(scenes)) {
		parts = append(parts, scene, scenes[scene])
	}
	return unitfile.Key(parts...)
}

// cpuName returns the processor name that Linux reports, or the architecture.
func cpuName() string {
	f, err := files.Open("/proc/cpuinfo", 1<<20)
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
