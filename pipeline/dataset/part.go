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

// filesOf lists the names of a folder's files that are for one part.
type filesOf struct{ readable, others []string }

// Names of parts in the layouts of HPatches (1.ppm, H_1_2) and of the Oxford scenes
// (img1.ppm, H1to2p), with whatever follows, and those of files that are meant as a homography.
var (
	imageName      = regexp.MustCompile(`^(?:img)?([1-9]\d{0,3})(\.[^.]*)?$`)
	homographyName = regexp.MustCompile(`^(?:H_1_([1-9]\d{0,3})|H1to([1-9]\d{0,3})(p?))(\..*)?$`)
	likeHomography = regexp.MustCompile(`(?i)^h(?:omography)?[\W\d_]*?(?:to)?\d+p?(?:\.[a-z]+)?$`)
)

// imageExtensions lists the extensions of image files, which may also be in upper
// case. The content decides the format.
var imageExtensions = []string{".ppm", ".pgm", ".pnm", ".png", ".jpg", ".jpeg"}

// partOf returns which part of a scene a file is, and whether its name is one that is read.
func partOf(name string) (p part, readable bool) {
	if m := homographyName.FindStringSubmatch(name); m != nil {
		k, _ := strconv.Atoi(m[1] + m[2])
		return part{true, k}, m[4] == "" && (m[1] != "" || m[3] != "")
	}
	if m := imageName.FindStringSubmatch(name); m != nil {
		k, _ := strconv.Atoi(m[1])
		return part{false, k}, slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(name)))
	}
	return part{}, false
}

// meantAsPart reports whether a file, which is no part of a scene, looks like an image or a homography.
func meantAsPart(name string) bool {
	return name[0] != '.' && slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(name))) || likeHomography.MatchString(name)
}
