package dataset

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"descbench/eval/fact"
	"descbench/keypoints"
	"descbench/pipeline/store"
)

// A Source is where scenes are.
type Source struct {
	Root  string // folder of scenes, or of the images of a list of pairs
	Pairs string // file of the list of pairs; "": the scenes are folders
	// Groups is a file that says which scenes are of one place, with lines SCENE GROUP; "": folders say
	// so. Scenes are then called GROUP/SCENE everywhere but in names of files.
	Groups string
	// Corner says that principal points are measured from the corner of the first pixel, as in
	// COLMAP, MegaDepth and cvg/glue-factory; else from its centre.
	Corner bool
	// DepthTolerance is the share of a depth by which that of the same point may differ; 0:
	// DefaultDepthTolerance.
	DepthTolerance float64
}

// A Ref is a scene that has been found but not read.
type Ref struct {
	Name string
	Dir  string
	// Images and Homographies hold the file names of image k and of the homography
	// from image 1 to it at index k-1; "" if missing. Image 1 has no homography. Homographies
	// is nil if the images have cameras.
	Images, Homographies []string
	Fault                error       // a *store.Fault that names the missing files; nil if the folder has all files
	Facts                []fact.Fact // about the name and files that are not read
	Subsets              []string    // of scenes, which the list of pairs names

	shots []shot // by image, if they have cameras
	depth bool   // there is a folder of depth
}

// HasCameras reports whether the images of the scene have cameras instead of homographies.
func (r Ref) HasCameras() bool { return r.shots != nil }

// HasDepth reports whether there is a folder of depth for the images of the scene.
func (r Ref) HasDepth() bool { return r.depth }

// A shot is an image with its camera, as a file lists it.
type shot struct {
	image  string // file, relative to the folder of the scene
	camera keypoints.Camera
	size   [2]int // width and height in the list; 0: not there
	turns  int    // quarter turns to the left of the image, before anything else
	where  string // file and line of the list
	folder string // of a list of cameras, below the root
}

// Gone returns a *store.Fault if the root or the folder of a scene that Find has listed no
// longer exists, as on a share that was unmounted.
func (s Source) Gone(scene string) error {
	if _, err := os.Stat(s.Root); errors.Is(err, fs.ErrNotExist) {
		return store.Faultf(s.Root, "the folder of the scenes no longer exists")
	}
	if ref, files := s.lookIn(scene); files > 0 {
		return nil
	} else if _, err := os.Lstat(ref.Dir); errors.Is(err, fs.ErrNotExist) {
		return store.Faultf(s.Root, "the folder of scene %s no longer exists", scene)
	}
	return nil
}

// lookIn finds the files of a scene, whose name is then that in files, and counts them.
func (s Source) lookIn(name string) (Ref, int) {
	var scenes []Ref
	name, err := s.InFiles(name)
	ref, files := Ref{Name: name, Dir: filepath.Join(s.Root, name), Fault: err}, 0
	if err != nil {
		return ref, files
	}
	folder, _, _ := strings.Cut(name, "/") // that may have a list of cameras
	if s.Pairs != "" {
		scenes, ref.Fault = s.pairs(name)
	} else if scenes = s.views(folder); scenes == nil {
		ref, files = look(ref.Dir, name)
	}
	for _, scene := range scenes {
		if scene.Name == name {
			return scene, len(scene.Images)
		}
	}
	return ref, files
}
