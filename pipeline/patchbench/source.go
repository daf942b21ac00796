package patchbench

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/pipeline/files"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Source provides the descriptors of patches from the files of a folder.
type Source struct {
	Name   string // of the descriptor
	dir    string
	strips map[string]string // digests of the strips described, by <sequence>/<image>, where the folder has them
	placed []fact.Fact       // how it was placed on patches, if not as others are, and whether these are others than those of tasks
}

// Folders returns a source for each folder, which reads the files
// <dir>/<sequence>/<image>.csv. It returns a *patches.Fault if folders record that they
// describe different patches. Names of folders, which are those of descriptors, must differ.
func Folders(dirs []string) (all []*Source, err error) {
	for _, given := range dirs {
		dir := given
		if base := filepath.Base(dir); base == "." || base == ".." { // neither is the name of a descriptor
			if dir, err = filepath.Abs(dir); err != nil {
				return nil, err
			}
		}
		if i := slices.IndexFunc(all, func(s *Source) bool { return s.Name == filepath.Base(dir) }); i >= 0 {
			return nil, &patches.OptionError{Reason: fmt.Sprintf("--descriptors: %s and %s are both called %s, want folders with different names", dirs[i], given, all[i].Name)}
		}
		if _, err := os.Stat(dir); err != nil {
			return nil, patches.Missing(err, dir, "a folder of descriptors: <sequence>/<image>.csv")
		}
		s := &Source{Name: filepath.Base(dir), dir: dir}
		if s.strips, err = stripsIn(dir); err != nil {
			return nil, err
		}
		if s.placed, err = placement(dir); err != nil {
			return nil, err
		}
		for _, other := range all {
			for _, image := range slices.Sorted(maps.Keys(s.strips)) {
				if strip := other.strips[image]; strip != "" && strip != s.strips[image] {
					return nil, &patches.Fault{File: dir, Reason: fmt.Sprintf("%s describes other patches than in %s; want descriptors of the same strips", image, other.dir)}
				}
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// stripsIn returns the digests of the strips described in a folder, by <sequence>/<image>.
func stripsIn(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, plan.Fault(err)
	}
	digests := make(map[string]string)
	for _, sequence := range entries {
		described, err := describedStrips(filepath.Join(dir, sequence.Name()))
		if err != nil {
			return nil, err
		}
		for image, s := range described {
			digests[sequence.Name()+"/"+image] = s.Strip
		}
	}
	return digests, nil
}

// placement says of a folder of descriptors whether their windows are those of the OpenCV script, or
// reach beyond the patch.
func placement(dir string) (facts []fact.Fact, err error) {
	s, err := recorded[settings](filepath.Join(dir, settingsFile))
	if s.Window > patches.PatchSide {
		f := fact.New(fact.Placement).With("px", float64(s.Window)).With("patch", patches.PatchSide)
		if s.Keypoint == OpenCVScript {
			f = f.Naming("keypoint", "opencv")
		}
		facts = append(facts, f)
	}
	return facts, err
}

// recorded returns the settings in the record of an output folder, the zero value without one.
func recorded[T any](path string) (T, error) {
	var record struct{ Settings T }
	const most = 64 << 20               // bytes
	data, err := files.Read(path, most) // whose errors name the file
	if err != nil {
		return record.Settings, plan.Fault(store.IgnoreMissing(err))
	}
	if err = json.Unmarshal(data, &record); err != nil {
		err = plan.Faultf("%s: %w", path, err)
	}
	return record.Settings, err
}

// stripsOf returns the digest of the strips of sequences, "" if they are not recorded.
func (s *Source) stripsOf(sequences []string) string {
	count := 0
	digest := patches.SHA256(func(w io.Writer) {
		for _, image := range slices.Sorted(maps.Keys(s.strips)) {
			if sequence, _, _ := strings.Cut(image, "/"); slices.Contains(sequences, sequence) {
				fmt.Fprintln(w, image, s.strips[image])
				count++
			}
		}
	})
	if count == 0 {
		return ""
	}
	return digest
}
