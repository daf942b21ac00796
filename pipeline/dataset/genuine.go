package dataset

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"descbench/files"
	"descbench/pipeline/store"
)

// An Origin says how a scene is known to be from HPatches.
type Origin string

// The values of Origin.
const (
	NotHPatches Origin = "no"              // its name is not of HPatches
	ByDigest    Origin = "yes"             // its files have a known digest
	ByName      Origin = "by name only"    // no digest of the scene's release files is known
	OtherFiles  Origin = "no: other files" // it has the name, but not the files
)

// FromHPatches reports whether a scene counts as one of HPatches.
func (o Origin) FromHPatches() bool { return o == ByDigest || o == ByName }

// A KnownDigest is the digest of the files of an HPatches scene.
type KnownDigest struct {
	Scene, Digest string
	// Release says that the files are those of the release. Other files of the scene,
	// such as images in another format, have other digests.
	Release bool
	Source  string // where the files come from, in words
}

// KnownDigests are digests of HPatches scenes.
type KnownDigests []KnownDigest

//go:embed hpatches.sha256
var shipped string

// DigestFile returns the path of the file with the digests that the user has recorded.
func DigestFile() (string, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, "descbench", "hpatches.sha256"), nil
}

// ReadDigests returns the digests that come with the program and those that the user
// has recorded.
func ReadDigests() (KnownDigests, error) {
	known, err := parseDigests(shipped)
	if err != nil {
		panic(err)
	}
	recorded, _, err := recordedDigests()
	return append(known, recorded...), err
}

// recordedDigests returns the digests in the user's file, and its path. There may be
// no such file.
func recordedDigests() (KnownDigests, string, error) {
	at, err := DigestFile()
	if err != nil {
		return nil, "", nil // no home, no file
	}
	text, err := files.Read(at, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, at, nil
	}
	if err != nil {
		return nil, at, &store.Fault{Where: at, Err: err}
	}
	known, err := parseDigests(string(text))
	if err != nil {
		return nil, at, &store.Fault{Where: at, Err: err}
	}
	return known, at, nil
}

var digestLine = regexp.MustCompile(`^([0-9a-f]{64})  (\S+)  (release|copy)  (\S.*)$`)

func parseDigests(text string) (known KnownDigests, err error) {
	i := 0
	for l := range strings.Lines(text) {
		i++
		l = strings.TrimRight(l, "\r\n")
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		m := digestLine.FindStringSubmatch(l)
		if m == nil {
			return nil, fmt.Errorf("line %d: %.40q, want a SHA-256, a scene, release or copy, and a source, two blanks apart", i, l)
		}
		known = append(known, KnownDigest{Scene: m[2], Digest: m[1], Release: m[3] == "release", Source: m[4]})
	}
	return known, nil
}

// Origin says whether a scene of the given name and digest is from HPatches. The
// digest is "" if it is not known, as of resized images.
func (k KnownDigests) Origin(scene, digest string) Origin {
	if !IsHPatches(scene) {
		return NotHPatches
	}
	released := false
	for _, d := range k {
		if d.Scene != scene {
			continue
		}
		if d.Digest == digest {
			return ByDigest
		}
		released = released || d.Release
	}
	if released && digest != "" {
		return OtherFiles
	}
	return ByName
}

// Record adds the digests of the HPatches scenes of a survey to the user's file. It
// returns the path of the file and the names of the scenes that were not known. A
// scene whose release files have another known digest is refused, so that a record
// never replaces another one.
func Record(found *Survey, source string, write func(path string, content []byte) error) (at string, added []string, err error) {
	known, err := ReadDigests()
	if err != nil {
		return "", nil, err
	}
	recorded, at, err := recordedDigests()
	if err != nil {
		return at, nil, err
	}
	if at == "" {
		return "", nil, errors.New("there is no home folder for the file of digests; set XDG_CONFIG_HOME")
	}
	for _, s := range found.Scenes {
		if s.Fault != "" || !IsHPatches(s.Name) || known.Origin(s.Name, s.Digest) == ByDigest {
			continue
		}
		d := KnownDigest{Scene: s.Name, Digest: s.Digest, Release: inPPM(s), Source: source}
		if i := slices.IndexFunc(known, func(k KnownDigest) bool { return k.Scene == s.Name && k.Release && d.Release }); i >= 0 {
			return at, nil, store.Faultf(s.Name, "its digest is %.12s, but that of the release is %.12s (source: %s); its files are not those of HPatches", s.Digest, known[i].Digest, known[i].Source)
		}
		recorded, added = append(recorded, d), append(added, s.Name)
	}
	if len(added) == 0 {
		return at, nil, nil
	}
	return at, added, write(at, recorded.format())
}

// inPPM reports whether all images of a scene are PPM files, as in the release.
func inPPM(s SurveyedScene) bool {
	return !slices.ContainsFunc(s.Images, func(i ImageFile) bool { return filepath.Ext(i.File) != ".ppm" })
}

// format returns the content of a file of digests, sorted by scene.
func (k KnownDigests) format() []byte {
	lines := make(map[string]bool)
	for _, d := range k {
		kind := "copy"
		if d.Release {
			kind = "release"
		}
		lines[fmt.Sprintf("%s  %s  %s  %s\n", d.Digest, d.Scene, kind, d.Source)] = true
	}
	sorted := slices.SortedFunc(maps.Keys(lines), func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	return []byte("# Digests of HPatches scenes that descbench dataset verify --record added.\n" + strings.Join(sorted, ""))
}
