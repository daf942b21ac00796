package plan

import "path/filepath"

// A Folder is the path of a run folder. Everything in it has a name that is
// known from the plan alone.
type Folder string

func (f Folder) file(name string) string { return filepath.Join(string(f), name) }

// unit returns a file that holds something of a scene, of something that has a
// name: a set or a descriptor.
func (f Folder) unit(stage, name, file string) string {
	return filepath.Join(string(f), "units", stage, filepath.FromSlash(name), file)
}

// Config is the effective config. A folder that has it is a run folder.
func (f Folder) Config() string { return f.file("config.yaml") }

// Environment is what the results depend on beside config and data.
func (f Folder) Environment() string { return f.file("environment.json") }

// Queries holds the query records.
func (f Folder) Queries() string { return f.file("queries.parquet") }

// Pairs holds the pair records.
func (f Folder) Pairs() string { return f.file("pairs.parquet") }

// Metrics holds every metric of every scope.
func (f Folder) Metrics() string { return f.file("metrics.csv") }

// Summary holds the main metrics.
func (f Folder) Summary() string { return f.file("summary.json") }

// Timing says where the time went.
func (f Folder) Timing() string { return f.file("timing.csv") }

// Database holds the results as tables.
func (f Folder) Database() string { return f.file("results.sqlite") }

// Claim is there while a process works on a scene.
func (f Folder) Claim(scene string) string { return filepath.Join(string(f), ".claims", scene) }

// Scenes lists the scenes of the run.
func (f Folder) Scenes() string { return filepath.Join(string(f), "units", "scenes.json") }

// Scene is the scene unit: what its other units were computed from.
func (f Folder) Scene(scene string) string { return f.unit("scenes", "", scene+".json") }

// Set is a unit of stage 1: the keypoints of a set, or side, in a scene.
func (f Folder) Set(set, scene string) string { return f.unit("sets", set, scene+".npz") }

// Before holds what a set's selection over all scenes chooses from.
func (f Folder) Before(set, scene string) string { return f.unit("before", set, scene+".npz") }

// Cut names the scenes that a selection over all scenes was made from.
func (f Folder) Cut(set string) string { return f.unit("cuts", "", filepath.FromSlash(set)+".json") }

// Eval is a unit of stage 3: the records of a descriptor in a scene.
func (f Folder) Eval(descriptor, scene string) string {
	return f.unit("eval", descriptor, scene+".zip")
}

// Failure stands in the place of a unit that could not be computed.
func (f Folder) Failure(descriptor, scene string) string {
	return f.unit("eval", descriptor, scene+".failed.json")
}

// Times lie beside the units, not in them: units are the same bytes every time.
func (f Folder) Times(descriptor, scene string) string {
	return filepath.Join(string(f), "times", filepath.FromSlash(descriptor), scene+".json")
}

// Pool holds the rows that a scene gives to others as distractors of a task.
func (f Folder) Pool(task, descriptor, scene string) string {
	return filepath.Join(string(f), "units", "pools", task, filepath.FromSlash(descriptor), scene+".npz")
}
