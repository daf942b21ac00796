package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"descbench/pipeline/config"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records"
	"descbench/pipeline/store/unitfile"
)

// Units are the units of a run folder. A process writes those of a scene together, as one container,
// units/N/SCENE.zip with the first N that is free, and never adds to it or replaces it.
//
// The name of a unit is KIND/NAME/KEY. Its key is a digest of all that it is computed from, so that a unit of
// another run, of other data or by other software is not found, and is computed.
type Units struct {
	Folder
	Plan *Plan
	run  string // what is common to the keys of all units
	// totals says that keypoints are selected over all scenes.
	totals bool
	// all is what is common to those of the units that depend on all scenes, once it was needed.
	all      atomic.Pointer[string]
	listings unitfile.Listings
	// records are those of scenes that have been read, by the Listings of their containers.
	records sync.Map
}

// A Unit is something that a run keeps of a scene.
type Unit struct {
	name string // KIND/NAME
	all  bool   // it depends on the data of all scenes of the run
}

// UnitsOf returns the units of a folder that is filled with a config, the run's own for the plan, and the
// software of the given environment. A re-evaluation has the units of its run.
func UnitsOf(f Folder, p *Plan, own *config.Config, e Environment) (*Units, error) {
	computed := unitsIdentity(own)
	r, err := f.Reevaluation()
	if r != nil {
		computed = r.Units
	}
	parts := []string{"unit", fmt.Sprint(unitfile.Version), records.Schemas(), computed, e.ExtractionKey(), fmt.Sprint(e.Importer)}
	for _, key := range slices.Sorted(maps.Keys(e.Programs)) {
		parts = append(parts, e.Programs[key].parts(key)...)
	}
	return &Units{Folder: f, Plan: p, run: unitfile.Key(parts...), totals: len(p.Totals(1)) > 0}, err
}

// ofAll returns dataOfAll as it was at the first call, or the first one after Forget.
func (u *Units) ofAll() string {
	if known := u.all.Load(); known != nil {
		return *known
	}
	digest := u.dataOfAll()
	u.all.Store(&digest)
	return digest
}

// dataOfAll returns a digest of the data of all scenes. That of a scene without a record is unknown.
func (u *Units) dataOfAll() string {
	var parts []string
	for _, scene := range u.Plan.Scenes {
		record, _ := u.Record(scene)
		parts = append(append(parts, scene), record.data()...)
	}
	return unitfile.Key(parts...)
}

// SameData returns a function that returns an error if another process has written units of other data since, so
// that what was read in between must not be combined.
func (u *Units) SameData() func() error {
	was := u.ofAll()
	return func() error {
		if u.dataOfAll() != was {
			return Faultf("%s: images or imported files of a scene have changed, and another process has computed it again in the meantime; rerun the same command", string(u.Folder))
		}
		return nil
	}
}

// Forget forgets what is known of all scenes, of which other processes may have written units.
func (u *Units) Forget() { u.all.Store(nil) }

// unitsIdentity returns the identity of a config for units. Which other scenes a run has matters
// only to the units that depend on all of them.
func unitsIdentity(cfg *config.Config) string {
	of := *cfg
	of.Experiment, of.Dataset.Scenes, of.Dataset.Subset = config.Experiment{}, nil, ""
	return of.Identity()
}

// Units returns the units of a run folder, as the folder itself says how the run
// was started, for a plan of it.
func (f Folder) Units(p *Plan) (*Units, error) {
	begun, err := f.config()
	if err != nil {
		return nil, err
	}
	e, err := f.ReadEnvironment()
	if err != nil {
		return nil, err
	}
	return UnitsOf(f, p, begun, e)
}

// Complete returns Units.Complete of a run folder.
func (f Folder) Complete(p *Plan) error {
	u, err := f.Units(p)
	if err != nil {
		return err
	}
	return u.Complete()
}

// Eval is the unit of the records of a descriptor.
func (u *Units) Eval(descriptor string) Unit { return Unit{"eval/" + descriptor, u.totals} }

// Set is the unit of the keypoints of a set, or of one side of it.
func (u *Units) Set(name string) Unit { return Unit{"sets/" + name, u.depth(name) > 0} }

// Before is the unit of the keypoints that a set's selection over all scenes chooses from.
func (u *Units) Before(name string) Unit { return Unit{"before/" + name, u.depth(name) > 1} }

// depth counts the selections over all scenes that a set, or a side of it, depends on, including its own.
func (u *Units) depth(name string) int {
	set, _ := u.Plan.Graph.Find(name)
	return u.Plan.Graph.Depth(set)
}

// Pool is the unit of the rows that a scene contributes to other scenes as
// distractors of a task.
func (u *Units) Pool(t Task, descriptor string) Unit {
	return Unit{"pools/" + t.folder() + "/" + descriptor, u.totals}
}

// Task is the unit of the records of a task, computed with the pools of the given scenes.
func (u *Units) Task(t Task, descriptor string, pools []string) Unit {
	return Unit{"tasks/" + t.folder() + "/" + unitfile.Key(pools...)[:16] + "/" + descriptor, true}
}

// nameOf returns the name of a unit of a scene with the given record.
func (u *Units) nameOf(unit Unit, record SceneRecord) string {
	parts := append([]string{u.run, unit.name, record.Name}, record.data()...)
	if unit.all {
		parts = append(parts, u.ofAll())
	}
	return unit.name + "/" + unitfile.Key(parts...)[:32]
}

// recordOf is the name of the record of a scene, which tells the data that its other units are computed from. It is
// JSON, as that of a failure is.
func (u *Units) recordOf(scene string) string {
	return u.nameOf(Unit{name: "scene"}, SceneRecord{Name: scene}) + ".json"
}

func (u *Units) failureOf(descriptor, scene string) string {
	return u.nameOf(Unit{name: "failed/" + descriptor}, SceneRecord{Name: scene}) + ".json"
}

// container returns the path of container n of a scene.
func (f Folder) container(n int, scene string) string {
	return filepath.Join(string(f), "units", strconv.Itoa(n), fileOf(scene)+".zip")
}

// containers returns the paths of the containers of a scene in the order of their numbers.
func (f Folder) containers(scene string) (paths []string) {
	for n := 1; ; n++ {
		path := f.container(n, scene)
		if !Missing(path) {
			paths = append(paths, path)
		} else if Missing(filepath.Dir(path)) {
			return paths
		}
	}
}

// latest returns the last container of a scene that has a unit of the given name. It leaves out
// those that cannot be read, which Damage names.
func (u *Units) latest(name, scene string) (path string, l *unitfile.Listing) {
	for _, path := range slices.Backward(u.containers(scene)) {
		if l, err := u.listings.List(path); err == nil && slices.Contains(l.Names, name) {
			return path, l
		}
	}
	return "", nil
}

// Damage returns the path of the first container of a scene that is not as it was written, and an error
// about it.
func (f Folder) Damage(scene string) (path string, err error) {
	for _, path := range f.containers(scene) {
		if err := unitfile.Check(path); err != nil {
			return path, Recreate(err)
		}
	}
	return "", nil
}

// Record returns the record of a scene. The error matches fs.ErrNotExist if there is none, because
// the scene could not be opened yet.
func (u *Units) Record(scene string) (record SceneRecord, err error) {
	name := u.recordOf(scene)
	path, l := u.latest(name, scene)
	if l == nil {
		return record, Faultf("%s: no record of %s: %w", u.container(1, scene), scene, fs.ErrNotExist)
	}
	if known, ok := u.records.Load(l); ok {
		return known.(SceneRecord), nil
	}
	err = json.Unmarshal(l.JSON[name], &record)
	if err == nil && record.Name != scene {
		err = fmt.Errorf("its record is of %q", record.Name)
	}
	if err != nil {
		return SceneRecord{}, Recreate(store.Damaged(path, err))
	}
	u.records.Store(l, record)
	return record, nil
}

// Has reports whether there is a unit of a scene.
func (u *Units) Has(unit Unit, scene string) bool {
	return u.find(unit, scene) != ""
}

// Path returns the path of the container that a unit is in, or else of the scene's first.
func (u *Units) Path(unit Unit, scene string) string {
	return cmp.Or(u.find(unit, scene), u.container(1, scene))
}

func (u *Units) find(unit Unit, scene string) (path string) {
	if record, err := u.Record(scene); err == nil {
		path, _ = u.latest(u.nameOf(unit, record), scene)
	}
	return path
}

// ReadUnit reads a unit. The error matches fs.ErrNotExist if there is none, and is store.Unusable if it is damaged.
func ReadUnit[T any](u *Units, unit Unit, scene string, f unitfile.Format[T]) (value T, err error) {
	record, err := u.Record(scene)
	if err != nil {
		return value, err
	}
	return Get(u.Scene(record), unit, f)
}

// Failed reports whether a descriptor could not be evaluated in a scene, and the recorded reason. If there are
// records, the failure does not count: they were computed later or by another process.
func (u *Units) Failed(descriptor, scene string) (reason string, failed bool) {
	name := u.failureOf(descriptor, scene)
	_, l := u.latest(name, scene)
	if l == nil || u.Has(u.Eval(descriptor), scene) {
		return "", false
	}
	var f failure
	err := json.Unmarshal(l.JSON[name], &f)
	return cmp.Or(f.Reason, fmt.Sprint(err)), true
}

// AllFailed reports whether a scene failed for every descriptor.
func (u *Units) AllFailed(scene string) bool {
	for _, d := range u.Plan.Config.Descriptors {
		if _, failed := u.Failed(d.Name, scene); !failed {
			return false
		}
	}
	return len(u.Plan.Config.Descriptors) > 0
}

// A failure is the content of the unit that tells why a descriptor could not be evaluated.
type failure struct {
	Reason string `json:"reason"`
}
