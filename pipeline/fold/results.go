package fold

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"descbench/eval/fact"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records"
)

// A folding computes the results of a run from the records of a source.
type folding struct {
	folder  plan.Folder
	plan    *plan.Plan
	from    source
	timings []store.Timing // of all units
	leftOut []fact.Fact    // by a re-evaluation

	results      []ranking.Result // in the order of the config; of store.Brief, if they were written
	descriptors  []store.Descriptor
	dimensions   map[string]int                      // by descriptor
	rows         map[string]record.Pair              // the first pair with rows, by descriptor
	sets         map[string]map[string][]int         // keypoints per image, by set and scene
	digests      map[string]string                   // of images and homographies, by scene
	data         map[string]map[string]store.Digests // by descriptor and scene
	homographies map[string]string                   // of each scene that has other ones than identities
	images       map[string]int                      // per scene
}

func newFolding(f plan.Folder, p *plan.Plan, from source, timings []store.Timing) *folding {
	return &folding{
		folder: f, plan: p, from: from, timings: timings,
		dimensions: make(map[string]int), rows: make(map[string]record.Pair), sets: make(map[string]map[string][]int), digests: make(map[string]string), data: make(map[string]map[string]store.Digests), homographies: make(map[string]string),
		images: make(map[string]int),
	}
}

// describe returns the facts of a descriptor whose records have been noted.
func (r *folding) describe(d config.Descriptor, set string) store.Descriptor {
	return store.Descriptor{Name: d.Name, Type: d.Type, Dimension: r.dimensions[d.Name], KeypointSet: set, Digests: r.data[d.Name]}
}

// add adds the result of a descriptor.
func (r *folding) add(d store.Descriptor, result ranking.Result) {
	r.results, r.descriptors = append(r.results, result), append(r.descriptors, d)
}

// note stores the descriptor's dimension, the number of keypoints per image and
// the digests of scene and keypoints from the pairs of one scene. It says how the rows
// differ in length or type from those of the first scene, as those of files and programs may;
// such a scene cannot be averaged with others.
func (r *folding) note(d config.Descriptor, set string, pairs []record.Pair) (differs string) {
	for _, p := range pairs {
		if first, ok := r.rows[d.Name]; !ok && p.Keypoints1 > 0 {
			r.rows[d.Name] = p
		} else if ok && p.Keypoints1 > 0 && (p.Dimension != first.Dimension || p.RowBytes != first.RowBytes) {
			return fmt.Sprintf("%s: rows have %d elements (%d bytes) here, but %d elements (%d bytes) in %s; correct the files or the program and rerun with --overwrite",
				p.Scene, p.Dimension, p.RowBytes, first.Dimension, first.RowBytes, first.Scene)
		}
	}
	var keypoints []int
	for _, p := range pairs {
		r.dimensions[d.Name] = int(p.Dimension)
		r.digests[p.Scene] = p.SceneDigest
		r.images[p.Scene] = max(r.images[p.Scene], int(p.K))
		if keypoints == nil {
			keypoints = append(keypoints, int(p.Keypoints1))
		}
		keypoints = append(keypoints, int(p.KeypointsK))
	}
	if len(pairs) == 0 {
		return ""
	}
	r.homographies[pairs[0].Scene] = homographies(pairs)
	if set != "" { // which matches of points lack
		if r.sets[set] == nil {
			r.sets[set] = make(map[string][]int)
		}
		r.sets[set][pairs[0].Scene] = keypoints
	}
	if r.data[d.Name] == nil {
		r.data[d.Name] = make(map[string]store.Digests)
	}
	r.data[d.Name][pairs[0].Scene] = store.Digests{Scene: pairs[0].SceneDigest, Set: pairs[0].SetDigest}
	return ""
}

// homographies returns those of the pairs of a scene as text, "" if there are none or all are identities, which many
// scenes have.
func homographies(pairs []record.Pair) (all string) {
	const rounding = 1e-9 // of those of resized images
	identities := true
	for _, p := range pairs {
		m, known := p.Mapping()
		if !known || p.Cameras != "" {
			return ""
		}
		for i, v := range m.Homography() {
			identities = identities && math.Abs(v-keypoints.Identity[i]) < rounding
		}
		all += fmt.Sprintln(m.Homography())
	}
	if identities {
		return ""
	}
	return all
}

// keypointSet summarises a keypoint set over the scenes noted.
func (r *folding) keypointSet(name string) store.KeypointSet {
	s := store.KeypointSet{Name: name, Scenes: len(r.sets[name])}
	all := slices.Concat(slices.Collect(maps.Values(r.sets[name]))...)
	for _, n := range all {
		s.Keypoints += n
	}
	if s.Images = len(all); s.Images > 0 {
		s.MinPerImage, s.MaxPerImage = slices.Min(all), slices.Max(all)
	}
	return s
}

// A writer writes every result file of a run. The files appear when it is closed.
type writer struct {
	folder   plan.Folder
	timings  []store.Timing
	queries  *records.RecordWriter[record.Query]
	pairs    *records.RecordWriter[record.Pair]
	metrics  *store.MetricsWriter
	database *store.DatabaseWriter
	aborts   []func() // of those that are open
}

func newWriter(ctx context.Context, f plan.Folder, experiment string, timings []store.Timing) (w *writer, err error) {
	w = &writer{folder: f, timings: timings}
	if w.queries, err = records.NewWriter[record.Query](f.Queries(), experiment); err == nil {
		w.aborts = append(w.aborts, w.queries.Abort)
		w.pairs, err = records.NewWriter[record.Pair](f.Pairs(), experiment)
	}
	if err == nil {
		w.aborts = append(w.aborts, w.pairs.Abort)
		w.metrics, err = store.NewMetricsWriter(f.Metrics())
	}
	if err == nil {
		w.aborts = append(w.aborts, w.metrics.Abort)
		w.database, err = store.NewDatabaseWriter(ctx, f.Database())
	}
	if err != nil {
		w.abort()
		return nil, plan.Fault(err)
	}
	w.aborts = append(w.aborts, w.database.Abort)
	return w, nil
}

// add writes the result of a descriptor.
func (w *writer) add(ctx context.Context, d store.Descriptor, r ranking.Result) error {
	if err := w.metrics.Add(r); err != nil {
		return plan.Fault(err)
	}
	return plan.Fault(w.database.Add(ctx, d, r, w.timings))
}

// close writes the rest and completes the files.
func (w *writer) close(ctx context.Context, run store.Run) (*store.Summary, error) {
	summary := store.NewSummary(run)
	// The summary is last, because it marks the results as complete.
	for _, write := range []func() error{
		w.folder.RemoveSums,
		w.queries.Close,
		w.pairs.Close,
		func() error { return w.folder.WriteJSON(w.folder.Environment(), json.RawMessage(run.Environment)) }, // with the digests of the evaluated scenes
		w.metrics.Close,
		func() error { return store.WriteTimingCSV(w.folder.Timing(), run.Experiment, run.Timings) },
		func() error { return w.database.Close(ctx, run) },
		func() error { return store.WriteSummary(w.folder.Summary(), summary) },
	} {
		if !w.folder.IsRun() { // writing would create it
			return nil, w.folder.Gone()
		}
		if err := write(); err != nil {
			return nil, plan.Fault(err)
		}
	}
	return &summary, w.folder.WriteSums()
}

// abort discards the files unless they are complete.
func (w *writer) abort() {
	for _, abort := range w.aborts {
		abort()
	}
}

// sameKeypoints tells if keypoints that were detected in a scene are those of an earlier
// one in every image: a copy whose files were written anew. seen maps digests to scenes.
func (r *folding) sameKeypoints(seen map[string]string, c *config.Config, scene string) []fact.Fact {
	for _, d := range c.Descriptors {
		set, _ := c.Graph().Find(d.Keypoints)
		digest := r.data[d.Name][scene].Set
		if set == nil || set.Detect == nil || digest == "" || !slices.ContainsFunc(r.sets[set.Name][scene], func(n int) bool { return n > 0 }) {
			continue
		}
		if counts := r.sets[set.Name][scene]; set.Detect.Command != nil && slices.Min(counts) == slices.Max(counts) {
			continue // perhaps a fixed grid
		}
		if of := seen[digest]; of != "" && of != scene {
			return []fact.Fact{fact.New(fact.CopiedKeypoints, scene).Naming("scene", of).Naming("set", set.Name)}
		}
		seen[digest] = scene
	}
	return nil
}

// run returns the results, once all records are folded.
func (r *folding) run() (store.Run, error) {
	cfg := r.plan.Config
	run := store.Run{
		Experiment: cfg.Experiment.Name, Description: cfg.Experiment.Description,
		Identity: plan.Identity(cfg, r.digests), Config: string(cfg.YAML()),
		ScenesRequested: len(r.plan.Scenes), Descriptors: r.descriptors, Results: r.results, Timings: r.timings,
		Protocol: protocol(cfg), ProtocolKey: protocol(cfg).Key(),
	}
	tell := func(facts ...fact.Fact) { run.Facts = append(run.Facts, facts...) }
	tell(PresetDeviations(cfg, slices.Sorted(maps.Keys(r.digests)), scope.All)...)
	tell(r.leftOut...)
	seen, planes := make(map[string]string), make(map[string]string)
	for _, scene := range r.plan.Scenes {
		copied, others, err := r.from.aboutScene(scene)
		if err != nil {
			return run, err
		}
		tell(copied...)
		if same := r.sameKeypoints(seen, cfg, scene); same != nil {
			tell(same...)
		} else if h := r.homographies[scene]; h != "" && planes[h] != "" {
			tell(fact.New(fact.CopiedPlanes, scene).Naming("scene", planes[h]))
		} else {
			planes[h] = scene
		}
		for _, f := range others {
			if f.Kind != fact.TrustedScene || r.digests[scene] != "" {
				tell(f)
			}
		}
	}
	tell(sceneImages(r.images)...)
	if info, err := os.Stat(r.folder.Scenes()); err == nil {
		run.Started = info.ModTime()
		run.Finished = lastUnit(r.folder, run.Started)
	}
	env, err := r.folder.ReadEnvironment()
	if err != nil {
		return run, err
	}
	env.Scenes = r.digests
	tell(env.Notes...)
	commands := cfg.Commands()
	for _, key := range slices.Sorted(maps.Keys(env.Programs)) {
		program, command := env.Programs[key], commands[key]
		unpinned := len(program.Files) == 0 && (command == nil || !command.Relayed() && !command.OfPackage())
		if unpinned {
			tell(fact.New(fact.Unpinned).Of(key))
		}
	}
	scenes, err := json.Marshal(env.Scenes)
	if err != nil {
		return run, err
	}
	run.DataDigest = store.SHA256(scenes)
	text, err := json.Marshal(env)
	if err != nil {
		return run, err
	}
	run.Environment = string(text)
	used := make(map[string]bool)
	for _, d := range cfg.Descriptors {
		set := cfg.SetOf(d)
		if set != "" && !used[set] {
			used[set] = true
			run.KeypointSets = append(run.KeypointSets, r.keypointSet(set))
		}
	}
	tell(append(cfg.Facts(), config.Windows(cfg.Descriptors)...)...)
	return run, nil
}

// lastUnit returns when the last unit of a run was computed, but not before the folder was
// made, which may have the units of other runs.
func lastUnit(f plan.Folder, made time.Time) (last time.Time) {
	last = made
	_ = filepath.WalkDir(filepath.Dir(f.Scenes()), func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, err := e.Info(); err == nil && info.ModTime().After(last) {
				last = info.ModTime()
			}
		}
		return nil
	})
	return last
}

// sceneImages tells that scenes differ in their number of images, which is given by scene.
func sceneImages(images map[string]int) []fact.Fact {
	least, most, pairs := math.MaxInt, 0, 0
	for _, n := range images {
		least, most, pairs = min(least, n), max(most, n), pairs+n-1
	}
	if least >= most {
		return nil
	}
	return []fact.Fact{fact.New(fact.SceneImages).With("pairs", float64(pairs)).With("n", float64(len(images))).With("least", float64(least)).With("most", float64(most))}
}
