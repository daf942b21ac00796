package dataset

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A part is image k of a scene or the homography from image 1 to image k.
type part struct {
	homography bool
	k          int // from 1; 0: no part of a scene
}

func (p part) String() string {
	if p.homography {
		return fmt.Sprintf("H_1_%d", p.k)
	}
	return fmt.Sprintf("image %d", p.k)
}

// A file is a file whose name says which part of a scene it is.
type file struct {
	name     string
	readable bool // has a name that is read
}

// Names of parts in the layouts of HPatches (1.ppm, H_1_2) and of the Oxford scenes
// (img1.ppm, H1to2p), with whatever follows.
var (
	imageName      = regexp.MustCompile(`^(?:img)?([1-9]\d{0,3})(\.[^.]*)?$`)
	homographyName = regexp.MustCompile(`^(?:H_1_([1-9]\d{0,3})|H1to([1-9]\d{0,3})(p?))(\..*)?$`)
)

// imageExtensions lists the extensions of image files, which may also be in upper
// case. The content decides the format.
var imageExtensions = []string{".ppm", ".pgm", ".pnm", ".png", ".jpg", ".jpeg"}

// partOf returns which part of a scene a file is.
func partOf(name string) (part, file) {
	if m := homographyName.FindStringSubmatch(name); m != nil {
		k, _ := strconv.Atoi(m[1] + m[2])
		return part{true, k}, file{name, m[4] == "" && (m[1] != "" || m[3] != "")}
	}
	if m := imageName.FindStringSubmatch(name); m != nil {
		k, _ := strconv.Atoi(m[1])
		return part{false, k}, file{name, slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(name)))}
	}
	return part{}, file{}
}

func join(files []file) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.name
	}
	return strings.Join(names, " and ")
}

// faults collects what is wrong with the names of a scene's files.
type faults struct {
	missing              []string
	images, homographies []string // that are there, under names that are not read
	others               []string
}

func (f *faults) add(format string, args ...any) {
	f.others = append(f.others, fmt.Sprintf(format, args...))
}

func (f *faults) unreadable(p part, files []file) {
	if p.homography {
		f.homographies = append(f.homographies, join(files))
	} else {
		f.images = append(f.images, join(files))
	}
}

func (f *faults) String() string {
	if len(f.missing) > 0 {
		f.add("missing %s", strings.Join(f.missing, ", "))
	}
	if len(f.images) > 0 {
		f.add("cannot read %s, want an image with the extension %s"+convert, strings.Join(f.images, ", "), strings.Join(imageExtensions, ", "))
	}
	if len(f.homographies) > 0 {
		f.add("cannot read %s, want a name such as H_1_2 or H1to2p", strings.Join(f.homographies, ", "))
	}
	return strings.Join(f.others, "; ")
}
