package dataset

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"strconv"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/keypoints"
	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// A Scene is a scene whose files have been read and found complete. Its images
// have not been decoded.
type Scene struct {
	Name    string
	InFiles string      // the name in names of files, without the group that Source.Groups gives it
	Root    string      // folder of the data set
	Dir     string      // of the scene, which need not exist
	Images  []ImageFile // image k at index k-1; 2 to scope.MaxImages
	// Facts tell what is possible but probably wrong, such as the same image
	// twice.
	Facts []fact.Fact
	// Subsets of scenes that the list of pairs puts it in.
	Subsets []string
	// Digest is the SHA-256, in hex, of the bytes of the images, the values
	// of the normalised homographies or of the cameras, the depth and the subsets. It does not depend on names, line ends or
	// the scale of homographies.
	Digest string

	// mappings holds the mapping from image 1 to image k, without depth, at index k-1. The first is the
	// identity.
	mappings  []keypoints.Mapping
	cameras   []keypoints.Camera // by image; nil: homographies
	maxPixels int                // limit of an image
	sums      map[string]string  // digests of its files, by name in the data set

	depthTolerance float64
}

// An ImageFile is an image that has been read but not decoded.
type ImageFile struct {
	File   string `json:"file"`            // file name in the scene's folder
	Width  int    `json:"width"`           // px
	Height int    `json:"height"`          // px
	Digest string `json:"digest"`          // SHA-256 of the file's bytes, in hex; of a resized image also of its size
	Depth  string `json:"depth,omitempty"` // SHA-256 of the file with its depth, in hex; "" without one

	homography string       // file name of the homography from image 1; "" for image 1
	turns      int          // quarter turns to the left of what the file has, before all else
	file       string       // SHA-256 of the file
	stored     *storedImage // the file, if the image is resized
	depth      depthFile
}

func (f ImageFile) size() [2]int { return [2]int{f.Width, f.Height} }

// NameOf returns the name of image i+1 in the names of other files about it: that of its
// file; if the file is outside of the scene's folder, as in a list of pairs, that without the folder if
// images have different names, and its number if not.
func (s *Scene) NameOf(i int) string {
	if name := s.Images[i].File; filepath.IsLocal(name) {
		return name
	}
	names := make(map[string]bool)
	for _, img := range s.Images {
		names[path.Base(img.File)] = true
	}
	if len(names) == len(s.Images) {
		return path.Base(s.Images[i].File)
	}
	return strconv.Itoa(i + 1)
}

// Open reads all files of the scene of the given name, one after the
// other. It returns a *store.Fault if a file is missing, incomplete or invalid, if it is
// not the one that SHA256SUMS in the root lists, if an image has more than maxMegapixels or
// another size than the list of its camera says, if a depth is impossible, if a homography maps almost nothing of image 1
// into its image, or if two cameras are at the same place.
func (src Source) Open(ctx context.Context, name string, maxMegapixels int) (*Scene, error) {
	root := src.Root
	if err := scope.CheckSceneName(name); err != nil {
		return nil, &store.Fault{Where: root, Err: err}
	}
	ref, found := src.lookIn(name)
	if ref.Fault != nil {
		return nil, ref.Fault
	}
	if found == 0 {
		return nil, store.Faultf(name, "%s", noFiles)
	}
	s := &Scene{Name: name, InFiles: ref.Name, Root: root, Dir: ref.Dir, Subsets: ref.Subsets, maxPixels: maxMegapixels * 1e6, sums: make(map[string]string), depthTolerance: cmp.Or(src.DepthTolerance, DefaultDepthTolerance)}
	for _, f := range fact.Only(ref.Facts, fact.UnreadFiles) {
		s.tell(f)
	}
	listed, err := store.ReadSums(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &store.Fault{Where: root, Err: err}
	}
	s.Images = make([]ImageFile, len(ref.Images))
	homographies := make([]keypoints.Homography, len(ref.Images))
	homographies[0] = keypoints.Identity
	for i, file := range ref.Homographies {
		if i == 0 {
			continue
		}
		s.Images[i].homography = file
		where := path.Join(ref.Name, file)
		text, err := files.Read(filepath.Join(s.Dir, file), maxHomographyFile)
		if err == nil {
			s.sums[where] = store.SHA256(text)
			err = unchanged(s.sums[where], listed[where])
		}
		if err == nil {
			homographies[i], err = parseHomography(text)
		}
		if err != nil {
			return nil, &store.Fault{Where: where, Err: files.Reason(err)}
		}
	}
	for i, file := range ref.Images {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.Images[i].File = file
		data, err := s.read(i)
		if err != nil {
			return nil, err
		}
		img := &s.Images[i]
		img.file = store.SHA256(data)
		img.Digest, s.sums[s.Where(i)] = img.file, img.file
		if err := unchanged(img.file, listed[s.Where(i)]); err != nil {
			return nil, &store.Fault{Where: s.Where(i), Err: err}
		}
		h, err := readHeader(data, s.maxPixels)
		if err != nil {
			return nil, &store.Fault{Where: s.Where(i), Err: err}
		}
		img.Width, img.Height = h.width, h.height
		if ref.shots != nil {
			depth, err := src.findDepth(ref.shots[i])
			if err = cmp.Or(err, s.take(i, ref.shots[i])); err == nil {
				err = s.takeDepth(i, depth, listed)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if err := s.relate(homographies); err != nil {
		return nil, err
	}
	return s, s.judge()
}

// take gives image i its camera, both turned as the list says.
func (s *Scene) take(i int, v shot) error {
	img := &s.Images[i]
	if size := img.size(); v.size != size && v.size != [2]int{} {
		return store.Faultf(v.where, "an image of %d×%d px, but %s has %d×%d", v.size[0], v.size[1], s.Where(i), size[0], size[1])
	}
	camera := v.camera
	for range v.turns {
		camera = camera.TurnedLeft(img.Width)
		img.Width, img.Height = img.Height, img.Width
	}
	if img.turns = v.turns; v.turns > 0 {
		img.Digest = store.SHA256([]byte(fmt.Sprintf("descbench turned 1\n%d\n%s\n", v.turns, img.file)))
	}
	s.cameras = append(s.cameras, camera)
	return nil
}

// relate sets the mappings to the images, by their cameras or by normalised homographies, and the
// digest.
func (s *Scene) relate(homographies []keypoints.Homography) (err error) {
	s.mappings = make([]keypoints.Mapping, len(homographies))
	for i, h := range homographies {
		if s.cameras != nil {
			s.mappings[i] = keypoints.Space(keypoints.Between(s.cameras[0], s.cameras[i]), s.Images[0].size(), s.Images[i].size())
		} else if s.mappings[i], err = keypoints.Plane(h, s.Images[0].size(), s.Images[i].size()); err != nil {
			return &store.Fault{Where: path.Join(s.InFiles, s.Images[i].homography), Err: err}
		}
	}
	s.Digest = s.digest()
	return nil
}

// unchanged returns an error if a file has another digest than the one that is
// listed, if any.
func unchanged(digest, listed string) error {
	if listed == "" || digest == listed {
		return nil
	}
	return fmt.Errorf("has changed since the data set was fetched: its SHA-256 is %.12s, but %s lists %.12s; fetch the data set again, or remove %s if the change is intended",
		digest, store.SumsFile, listed, store.SumsFile)
}

// Where returns the path of image i, counted from 0, below the root, for messages.
func (s *Scene) Where(i int) string { return path.Join(s.InFiles, s.Images[i].File) }

func (s *Scene) read(i int) ([]byte, error) {
	// No format needs more than 16-bit colour with alpha and some metadata.
	// OpenCV counts bytes in 31 bits.
	limit := min(8*int64(s.maxPixels)+16<<20, math.MaxInt32)
	data, err := files.Read(filepath.Join(s.Dir, s.Images[i].File), limit)
	if err != nil {
		return nil, &store.Fault{Where: s.Where(i), Err: files.Reason(err)}
	}
	return data, nil
}

// digest returns the SHA-256 of the digests of the scene's images, followed by
// the elements of its homographies, or of its cameras (fx, fy, cx, cy, R, t), as big-endian float64,
// row by row.
func (s *Scene) digest() string {
	text := []byte("descbench scene 1\n")
	for _, img := range s.Images {
		text = append(text, img.Digest+"\n"...)
	}
	for _, name := range s.Subsets {
		text = append(text, "subset "+name+"\n"...)
	}
	text = append(text, s.depthText()...)
	if s.cameras != nil {
		return store.SHA256(append(text, s.cameraBytes()...))
	}
	for _, m := range s.mappings[1:] {
		h := m.Homography()
		text = appendNumbers(text, h[:])
	}
	return store.SHA256(text)
}

// cameraBytes returns the elements of the scene's cameras: fx, fy, cx, cy, R and t.
func (s *Scene) cameraBytes() (b []byte) {
	for _, c := range s.cameras {
		b = appendNumbers(appendNumbers(appendNumbers(b, c.Intrinsics[:]), c.R[:]), c.T[:])
	}
	return b
}

// depthText returns a line for each image with depth: its number, its digest and the unit of its values.
func (s *Scene) depthText() (text []byte) {
	for i, img := range s.Images {
		if img.Depth != "" {
			text = fmt.Appendf(text, "depth %d %s %g\n", i+1, img.Depth, img.depth.unit)
		}
	}
	return text
}

func appendNumbers(b []byte, values []float64) []byte {
	for _, v := range values {
		if v == 0 {
			v = 0 // -0 too
		}
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}
