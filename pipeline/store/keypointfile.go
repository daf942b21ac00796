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

// A keypoint file holds one keypoint set of all scenes. It is a Parquet file with
// one row per keypoint, sorted by scene, image and row, and one row group per
// scene that has keypoints. A JSON header in the metadata describes the set and
// the number of rows of each image, including images without keypoints.

const (
	// The key and value in a file's metadata that identify the meaning of the columns.
	keypointsKey     = "descbench.keypoints"
	keypointsVersion = "1"
	// headerKey is the metadata key of the KeypointHeader.
	headerKey = "descbench.keypoint_set"
	// headerSumKey is the metadata key of the header's SHA-256 in hexadecimal.
	headerSumKey = "descbench.keypoint_set.sha256"
)

// A KeypointHeader describes the content of a keypoint file.
type KeypointHeader struct {
	Recipe      []string `json:"recipe"`      // steps of the set and of all sets that it is derived from, one line per set
	Environment string   `json:"environment"` // what extracted values depend on
	// Detector is the detector at the start of the recipe; for an intersection,
	// that of this side. It is nil for imported keypoints.
	Detector *KeypointDetector `json:"detector,omitempty"`
	Scenes   []KeypointScene   `json:"scenes"`
}

// A KeypointDetector names a detector of package keypoints.
type KeypointDetector struct {
	Type   string           `json:"type"`
	Params keypoints.Params `json:"params"` // every number is a float64 after reading
}

// A KeypointScene describes a scene of a keypoint file. Images begin with image 1.
type KeypointScene struct {
	Name   string          `json:"name"`
	Digest string          `json:"digest"`
	Images []KeypointImage `json:"images"`
	SHA256 string          `json:"sha256"` // digest of all attributes of its keypoints, in hexadecimal
}

// A KeypointImage describes an image of a keypoint file.
type KeypointImage struct {
	File      string `json:"file"`      // file name in the scene's folder
	Width     int    `json:"width"`     // px
	Height    int    `json:"height"`    // px
	Keypoints int    `json:"keypoints"` // number of rows
	Projected bool   `json:"projected"` // every row has a source
}

// Keypoints returns the number of keypoints in the scene.
func (s KeypointScene) Keypoints() int {
	n := 0
	for _, img := range s.Images {
		n += img.Keypoints
	}
	return n
}

// Projected reports whether the keypoints of any image were projected.
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

// Keypoints returns the number of keypoints in the file.
func (h KeypointHeader) Keypoints() int {
	n := 0
	for _, s := range h.Scenes {
		n += s.Keypoints()
	}
	return n
}

// A keypointRow is a row of a keypoint file. This program reads the structure from
// the header. The columns scene, image and row are for other readers.
type keypointRow struct {
	Scene string `parquet:"scene,dict"` // name of the scene
	Image int32  `parquet:"image"`      // number of the image, from 1
	Row   int32  `parquet:"row"`        // index in the image's set, from 0
	keypoints.Keypoint
	Source *int32 `parquet:"source,optional"` // row of its original in the set of the source image; NULL: not projected
}

// A KeypointWriter writes a keypoint file scene by scene and keeps only one scene
// in memory. The file appears, complete, when Close succeeds.
type KeypointWriter struct {
	file    *pending
	parquet *parquet.GenericWriter[keypointRow]
	header  KeypointHeader
	rows    []keypointRow
}

// CreateKeypointFile starts writing the file path. It ignores the header's
// scenes, which are added by Add.
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
			// Set because the default depends on how the program was built.
			parquet.CreatedBy("descbench", keypointsVersion, "keypoints"),
		),
		header: header,
	}, nil
}

// Add appends a scene with one keypoint set per image. It computes the numbers of
// keypoints, the Projected fields and the checksum from the sets.
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
		w.parquet.SetKeyValueMetadata(headerSumKey, SHA256(header))
		err = w.parquet.Close()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", w.file.path, err)
	}
	return w.file.commit()
}

// Abort discards the file unless it has been closed.
func (w *KeypointWriter) Abort() { w.file.abort() }

// sumOfSets returns the checksum of a scene's keypoints. For each image it covers
// their number, all attributes of each keypoint, and the sources.
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
