package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"

	"descbench/eval/scope"
	"descbench/keypoints"
)

// A Scene is a scene whose files have been read and found complete. Its images
// have not been decoded.
type Scene struct {
	Name     string
	Dir      string
	Category string                  // viewpoint, illumination or other
	Images   [scope.Images]ImageFile // image k at index k-1
	// Homographies holds the normalised homography from image 1 to image k at
	// index k-1. The first is the identity.
	Homographies [scope.Images]keypoints.Homography
	// Digest is the SHA-256, in hex, of the bytes of the images and the values
	// of the normalised homographies. It does not depend on names, line ends or
	// the scale of homographies.
	Digest string
}

// An ImageFile is an image that has been read but not decoded.
type ImageFile struct {
	File          string // file name in the scene's folder
	Width, Height int    // px
	Digest        string // SHA-256 of the file's bytes, in hex
}

// Open reads all files of the scene of the given name in root, one after the
// other. It returns an *Error if a file is missing, incomplete or invalid.
func Open(ctx context.Context, root, name string) (*Scene, error) {
	if !filepath.IsLocal(name) || filepath.Base(name) != name || name == "." {
		return nil, errorf(root, "no scene %q, want the name of a folder", name)
	}
	ref, files := look(filepath.Join(root, name), name)
	if ref.Fault != nil {
		return nil, ref.Fault
	}
	if files == 0 {
		return nil, errorf(name, "%s", noFiles)
	}
	s := &Scene{Name: name, Dir: ref.Dir, Category: ref.Category}
	var err error
	s.Homographies[0] = keypoints.Identity
	for i := 1; i < scope.Images; i++ {
		file := homographyFile(i + 1)
		if s.Homographies[i], err = readHomography(filepath.Join(s.Dir, file)); err != nil {
			return nil, &Error{name + "/" + file, err}
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
		s.Images[i].Digest = digest(data)
		if s.Images[i].Width, s.Images[i].Height, err = inspect(data); err != nil {
			return nil, &Error{s.where(i), err}
		}
	}
	s.Digest = s.digest()
	return s, nil
}

// where returns the name of image i for messages.
func (s *Scene) where(i int) string { return s.Name + "/" + s.Images[i].File }

// maxImageFile is the maximum size of an image file, in bytes: maxPixels of
// 16-bit colour and a margin. OpenCV counts bytes in 32 bits.
const maxImageFile = 6*maxPixels + 1<<20

func (s *Scene) read(i int) ([]byte, error) {
	path := filepath.Join(s.Dir, s.Images[i].File)
	info, err := os.Stat(path)
	if err != nil {
		return nil, &Error{s.where(i), err}
	}
	if info.Size() > maxImageFile {
		return nil, errorf(s.where(i), "%d bytes, want at most %d", info.Size(), maxImageFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &Error{s.where(i), err}
	}
	return data, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// digest returns the SHA-256 of the digests of the scene's images, followed by
// the elements of its homographies as big-endian float64, row by row.
func (s *Scene) digest() string {
	hash := sha256.New()
	hash.Write([]byte("descbench scene 1\n"))
	for _, img := range s.Images {
		hash.Write([]byte(img.Digest + "\n"))
	}
	for _, h := range s.Homographies[1:] {
		for _, v := range h {
			var b [8]byte
			if v == 0 {
				v = 0 // -0 too
			}
			binary.BigEndian.PutUint64(b[:], math.Float64bits(v))
			hash.Write(b[:])
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Overlap returns the share of the pixels of image 1 that the homography maps
// into image i, counted from 0: 0 ≤ x ≤ w-1, 0 ≤ y ≤ h-1.
func (s *Scene) Overlap(i int) float64 {
	h, from, to := s.Homographies[i], s.Images[0], s.Images[i]
	inside := 0
	for y := range from.Height {
		for x := range from.Width {
			u, v := h.Apply(float64(x), float64(y))
			if u >= 0 && v >= 0 && u <= float64(to.Width-1) && v <= float64(to.Height-1) {
				inside++
			}
		}
	}
	return float64(inside) / float64(from.Width*from.Height)
}
