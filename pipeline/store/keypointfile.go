package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/parquet-go/parquet-go"

	"descbench/keypoints"
)

// A keypoint file holds one keypoint set of a whole data set: a Parquet file
// with a row per keypoint, by scene, image and row, and one row group per scene
// that has keypoints. What it is of, and how many rows each image has, is JSON
// in the metadata: images without keypoints are there too.

const (
	// The key and value in a file's metadata that say what the columns mean.
	keypointsKey     = "descbench.keypoints"
	keypointsVersion = "1"
	// headerKey is that of the KeypointHeader.
	headerKey = "descbench.keypoint_set"
	// headerSumKey is that of the header's SHA-256, in hexadecimal.
	headerSumKey = "descbench.keypoint_set.sha256"
)

// A KeypointHeader says what a keypoint file is of.
type KeypointHeader struct {
	Recipe      []string `json:"recipe"`      // of the set and all that it is made from, a line each
	Environment string   `json:"environment"` // what extracted values depend on
	// Detector found the keypoints that the recipe begins with, of an
	// intersection those of this side. It is nil for imported ones.
	Detector *KeypointDetector `json:"detector,omitempty"`
	Scenes   []KeypointScene   `json:"scenes"`
}

// A KeypointDetector names a detector of package keypoints.
type KeypointDetector struct {
	Type   string           `json:"type"`
	Params keypoints.Params `json:"params"` // read from a file, every number is a float64
}

// A KeypointScene is a scene of a keypoint file, image 1 first.
type KeypointScene struct {
	Name   string          `json:"name"`
	Digest string          `json:"digest"`
	Images []KeypointImage `json:"images"`
	SHA256 string          `json:"sha256"` // of all attributes of its keypoints, in hexadecimal
}

// A KeypointImage is an image of a keypoint file.
type KeypointImage struct {
	File      string `json:"file"`      // its name in the scene's folder
	Width     int    `json:"width"`     // px
	Height    int    `json:"height"`    // px
	Keypoints int    `json:"keypoints"` // rows
	Projected bool   `json:"projected"` // every row has a source
}

// Keypoints counts the rows of the scene.
func (s KeypointScene) Keypoints() int {
	n := 0
	for _, img := range s.Images {
		n += img.Keypoints
	}
	return n
}

// Projected reports whether any image's keypoints were projected.
func (h KeypointHeader) Projected() bool {
	for _, s := range h.Scenes {
		for _, img := range s.Images {
			if img.Projected {
				return true
			}
		}
	}
	return false
}

// Keypoints counts the rows of the file.
func (h KeypointHeader) Keypoints() int {
	n := 0
	for _, s := range h.Scenes {
		n += s.Keypoints()
	}
	return n
}

// A keypointRow is a row of a keypoint file. Readers of this program go by the
// header and need no scene, image and row; those of others do.
type keypointRow struct {
	Scene string `parquet:"scene,dict"`
	Image int32  `parquet:"image"` // from 1
	Row   int32  `parquet:"row"`   // in the set of the image
	keypoints.Keypoint
	Source *int32 `parquet:"source,optional"` // null where not projected
}

// A KeypointWriter writes a keypoint file scene by scene, in the memory of one
// scene. The file appears when Close succeeds, and then complete.
type KeypointWriter struct {
	file    *pending
	parquet *parquet.GenericWriter[keypointRow]
	header  KeypointHeader
	rows    []keypointRow
}

// CreateKeypointFile begins the file path. Scenes of the header are ignored:
// they are added.
func CreateKeypointFile(path string, header KeypointHeader) (*KeypointWriter, error) {
	p, err := createPending(path)
	if err != nil {
		return nil, err
	}
	header.Scenes = []KeypointScene{}
	return &KeypointWriter{
		file: p,
		parquet: parquet.NewGenericWriter[keypointRow](p,
			parquet.Compression(&parquet.Snappy),
			parquet.KeyValueMetadata(keypointsKey, keypointsVersion),
			// The default depends on how the program was built.
			parquet.CreatedBy("descbench", keypointsVersion, "keypoints"),
		),
		header: header,
	}, nil
}

// Add appends a scene: its keypoint sets, one for each of its images. Numbers of
// keypoints, whether they were projected, and the checksum are taken from them.
func (w *KeypointWriter) Add(scene KeypointScene, sets []keypoints.Set) error {
	if len(sets) != len(scene.Images) {
		return fmt.Errorf("write %s: %s: want a set for each of %d images, found %d", w.file.path, scene.Name, len(scene.Images), len(sets))
	}
	added := KeypointScene{Name: scene.Name, Digest: scene.Digest, SHA256: sumOfSets(sets)}
	w.rows = w.rows[:0]
	for i, s := range sets {
		if s.Source != nil && len(s.Source) != s.Len() {
			return fmt.Errorf("write %s: %s, image %d: want a source for each of %d keypoints, found %d", w.file.path, scene.Name, i+1, s.Len(), len(s.Source))
		}
		img := scene.Images[i]
		img.Keypoints, img.Projected = s.Len(), s.Source != nil
		added.Images = append(added.Images, img)
		for row, k := range s.Keypoints {
			r := keypointRow{Scene: scene.Name, Image: int32(i + 1), Row: int32(row), Keypoint: k}
			if s.Source != nil {
				r.Source = &s.Source[row]
			}
			w.rows = append(w.rows, r)
		}
	}
	w.header.Scenes = append(w.header.Scenes, added)
	if len(w.rows) == 0 {
		return nil
	}
	_, err := w.parquet.Write(w.rows)
	if err == nil {
		err = w.parquet.Flush() // ends the row group
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", w.file.path, err)
	}
	return nil
}

// Close completes the file.
func (w *KeypointWriter) Close() error {
	defer w.file.abort()
	header, err := json.Marshal(w.header)
	if err == nil {
		w.parquet.SetKeyValueMetadata(headerKey, string(header))
		w.parquet.SetKeyValueMetadata(headerSumKey, sumOf(header))
		err = w.parquet.Close()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", w.file.path, err)
	}
	return w.file.commit()
}

// Abort gives the file up, unless it was closed.
func (w *KeypointWriter) Abort() { w.file.abort() }

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// sumOfSets is the checksum of a scene's keypoints: of each image their number,
// all attributes of one after the other, and the sources.
func sumOfSets(sets []keypoints.Set) string {
	hash := sha256.New()
	for _, s := range sets {
		b := s.Bytes()
		for _, source := range s.Source {
			b = binary.LittleEndian.AppendUint32(b, uint32(source))
		}
		_, _ = hash.Write(b) // hash.Hash never returns an error
	}
	return hex.EncodeToString(hash.Sum(nil))
}
