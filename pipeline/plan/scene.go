package plan

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"descbench/eval/fact"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// A SceneRecord describes the data from which the units of a scene were computed.
type SceneRecord struct {
	Name     string              `json:"name"`
	Category string              `json:"category"`
	Digest   string              `json:"digest"` // of the images and homographies
	Images   []dataset.ImageFile `json:"images"`
	Facts    []fact.Fact         `json:"facts,omitempty"` // what is doubtful about the data
	// Imported maps each use of imported files, those of a keypoint set or a descriptor, to a digest of the
	// files of all images.
	Imported map[string]string `json:"imported,omitempty"`
}

// data returns what tells the data of a scene from other data.
func (r SceneRecord) data() []string {
	parts := []string{r.Digest}
	for _, use := range slices.Sorted(maps.Keys(r.Imported)) {
		parts = append(parts, use, r.Imported[use])
	}
	return parts
}

// A SceneUnits has the units of a scene that is being computed. They are kept in memory until Write. Its
// methods may be called at the same time.
type SceneUnits struct {
	*Units
	Record SceneRecord // without a digest, if the scene cannot be opened

	mu      sync.Mutex                // guards the fields below
	content map[string][]byte         // of units that are not written yet, by name
	times   map[string][]store.Timing // to be written
}

// Scene returns the units of the scene with the given record.
func (u *Units) Scene(record SceneRecord) *SceneUnits {
	return &SceneUnits{Record: record, Units: u}
}

// Put adds a unit.
func Put[T any](s *SceneUnits, unit Unit, f unitfile.Format[T], value T) error {
	content, err := f.Content(value)
	if err != nil {
		return fmt.Errorf("%s: %w", unit.name, err)
	}
	s.put(s.nameOf(unit, s.Record), content)
	return nil
}

func (s *SceneUnits) put(name string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.content == nil {
		s.content = make(map[string][]byte)
	}
	s.content[name] = content
}

// Fail adds why a descriptor could not be evaluated, unless that is recorded or there are former
// records.
func (s *SceneUnits) Fail(descriptor string, reason error) error {
	was, failed := s.Failed(descriptor, s.Record.Name)
	if failed && was == reason.Error() || s.Has(s.Eval(descriptor)) {
		return nil
	}
	content, err := json.Marshal(failure{reason.Error()})
	s.put(s.failureOf(descriptor, s.Record.Name), content)
	return err
}

// Has reports whether a unit has been written.
func (s *SceneUnits) Has(unit Unit) bool {
	if s.Record.Digest == "" { // of whatever data
		return s.Units.Has(unit, s.Record.Name)
	}
	path, _ := s.latest(s.nameOf(unit, s.Record), s.Record.Name)
	return path != ""
}

// Get returns a unit, as ReadUnit does.
func Get[T any](s *SceneUnits, unit Unit, f unitfile.Format[T]) (value T, err error) {
	name := s.nameOf(unit, s.Record)
	s.mu.Lock()
	content := s.content[name]
	s.mu.Unlock()
	if content != nil {
		return f.Value(content)
	}
	path, _ := s.latest(name, s.Record.Name)
	if path == "" {
		return value, Faultf("%s: lacks %s: %w", s.container(1, s.Record.Name), unit.name, fs.ErrNotExist)
	}
	return unitfile.ReadUnit(&s.listings, path, name, f)
}

// Doubt records what is doubtful about a scene that is evaluated. The first contradiction of its
// images stays: that of a resumed run may be about the rows of other descriptors.
func (s *SceneUnits) Doubt(doubts []fact.Fact) {
	facts := s.Record.Facts
	trusted := slices.ContainsFunc(facts, func(f fact.Fact) bool { return f.Kind == fact.TrustedScene })
	for _, d := range doubts {
		known := slices.ContainsFunc(facts, func(f fact.Fact) bool { return reflect.DeepEqual(f, d) })
		if !known && !(trusted && d.Kind == fact.TrustedScene) {
			facts = append(slices.Clip(facts), d)
		}
	}
	s.Record.Facts = facts
}

// Write writes what was added as one container, with the record, which may be all that is new. Nothing may be added
// meanwhile.
func (s *SceneUnits) Write() error {
	scene := s.Record.Name
	n := 1
	if s.Record.Digest != "" {
		record, err := json.Marshal(s.Record)
		if err != nil {
			return err
		}
		name := s.recordOf(scene)
		if _, l := s.latest(name, scene); len(s.content) > 0 || l == nil || !bytes.Equal(l.JSON[name], record) {
			s.put(name, record)
		}
		for _, path := range s.containers(scene) { // of other records, the last counts
			if l, err := s.listings.List(path); err == nil && l.JSON[name] != nil && !bytes.Equal(l.JSON[name], record) {
				n, _ = strconv.Atoi(filepath.Base(filepath.Dir(path)))
				n++
			}
		}
	}
	if len(s.content) == 0 {
		return nil
	}
	if err := s.addTimes(scene, s.times); err != nil {
		return err
	}
	err := error(fs.ErrExist)
	for ; errors.Is(err, fs.ErrExist); n++ {
		err = unitfile.WriteScene(s.root(), s.container(n, scene), s.content)
	}
	s.content, s.times = nil, nil
	return Fault(err)
}

// OpenScene opens a scene of a data set and resizes its images if the config says so.
func OpenScene(ctx context.Context, d config.Dataset, name string) (*dataset.Scene, error) {
	scene, err := Source(d).Open(ctx, name, d.MaxMegapixels)
	if r := d.Resize; err == nil && r != nil {
		rule := dataset.Resizing{Size: r.Size, Interpolation: dataset.Interpolation(r.Interpolation), Scaled: r.Scaled}
		if r.Crop {
			rule.Crop = [2]int{r.Width, r.Height}
		}
		err = scene.Resize(rule)
	}
	return scene, err
}

// Source returns where a config's scenes are.
func Source(d config.Dataset) dataset.Source {
	return dataset.Source{Root: d.Root, Pairs: d.Pairs, Groups: d.Groups, Corner: d.Corner, DepthTolerance: d.DepthTolerance}
}
