package keypointsets

import (
	"math"

	"descbench/keypoints"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// AllScenes stands for every scene of a stored set.
const AllScenes = -1

// A ShownKeypoint is a row of a stored set as people and programs read it.
type ShownKeypoint struct {
	Scene    string  `json:"scene"`
	Image    int     `json:"image"` // from 1
	Row      int     `json:"row"`
	X        float32 `json:"x"`
	Y        float32 `json:"y"`
	Size     float32 `json:"size"`
	Angle    float32 `json:"angle"`
	Response float32 `json:"response"`
	Octave   int     `json:"octave"`
	Layer    int     `json:"layer"`
	Packed   int32   `json:"packed_octave"`
	ClassID  int32   `json:"class_id"`
	Source   *int32  `json:"source,omitempty"` // of a projected keypoint
}

// Show returns the first keypoints of a stored set, at most limit of them, 0
// standing for all, and how many there are. scene is an index into f.Scenes or
// AllScenes, image 1 to 6, or 0 for all.
func Show(f *store.KeypointFile, scene, image, limit int) (rows []ShownKeypoint, total int, err error) {
	if limit == 0 {
		limit = math.MaxInt
	}
	rows = []ShownKeypoint{} // [] in JSON, not null
	for i := range f.Scenes {
		if scene != AllScenes && scene != i {
			continue
		}
		for j, img := range f.Scenes[i].Images {
			if image == 0 || image == j+1 {
				total += img.Keypoints
			}
		}
		if len(rows) == limit {
			continue
		}
		sets, err := f.Read(i)
		if err != nil {
			return nil, 0, plan.Fault(err)
		}
		for j, set := range sets {
			if image == 0 || image == j+1 {
				rows = appendShown(rows, f.Scenes[i].Name, j+1, set, limit)
			}
		}
	}
	return rows, total, nil
}

// appendShown appends the keypoints of an image, up to limit in all.
func appendShown(rows []ShownKeypoint, scene string, image int, set keypoints.Set, limit int) []ShownKeypoint {
	for row, k := range set.Keypoints[:min(set.Len(), limit-len(rows))] {
		octave, layer := keypoints.UnpackOctave(k.Octave)
		r := ShownKeypoint{
			Scene: scene, Image: image, Row: row, X: k.X, Y: k.Y, Size: k.Size, Angle: k.Angle, Response: k.Response,
			Octave: octave, Layer: layer, Packed: k.Octave, ClassID: k.ClassID,
		}
		if set.Source != nil {
			r.Source = &set.Source[row]
		}
		rows = append(rows, r)
	}
	return rows
}
