package features

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store/unitfile"
)

// Extract extracts what descriptors need of the scene and the cache lacks, image by
// image, so that they share scale spaces, and then frees the pixels. It only serves
// speed: Load and Rows, which it precedes, do the same for one descriptor alone,
// and return the errors that Extract ignores.
func (w *Scene) Extract(ctx context.Context, ds []config.Descriptor) error {
	defer w.Close()
	var loaded []config.Descriptor
	for _, d := range ds {
		if d.Matches != nil { // nothing is extracted for imported matches
			continue
		}
		if _, err := w.Load(ctx, d); err == nil {
			loaded = append(loaded, d)
		}
	}
	if err := w.recheckRows(loaded); err != nil {
		return err
	}
	err := w.EachImage(ctx, func(i int) error {
		w.extract(i, slices.DeleteFunc(w.wants(loaded, i), func(want wanted) bool {
			return want.stored && unitfile.Features.InCache(w.cache, want.key)
		}))
		return nil
	})
	w.putTimes()
	return err
}

// wanted are raw rows that a descriptor is made of.
type wanted struct {
	by         string // the descriptor for which they are extracted: it, or a fusion of which it is a part
	descriptor config.Descriptor
	keypoints  []keypoints.Keypoint
	settings   string
	key        string // in the cache
	stored     bool   // there, or else in memory
}

// want returns the raw rows that a descriptor of pixels is made of in image i.
func (w *Scene) want(by string, d config.Descriptor, i int) (wanted, error) {
	settings, stored, err := w.programs.settingsOf(d)
	if err != nil {
		return wanted{}, err
	}
	set := keypoints.Set{Keypoints: scaled(d, w.sets[d.Keypoints][i].Keypoints)}
	key := unitfile.Key("features", w.environment.ExtractionKey(), w.Source.Images[i].Digest, string(set.Bytes()), settings)
	return wanted{by, d, set.Keypoints, settings, key, stored}, nil
}

// wants returns the raw rows that descriptors are made of in image i, each once, without those that are imported or
// unknown, because want fails.
func (w *Scene) wants(ds []config.Descriptor, i int) (all []wanted) {
	known := make(map[string]bool)
	for _, d := range ds {
		for _, part := range w.Plan.Parts(d) {
			want, err := w.want(d.Name, part, i)
			if err == nil && part.File == nil && !known[want.key] {
				known[want.key] = true
				all = append(all, want)
			}
		}
	}
	return all
}

// kept returns raw rows from the cache or, if they are not cached, from memory, and the seconds that
// extracting them took. Its errors are those of the cache.
func (w *Scene) kept(want wanted) (*descriptors.Matrix, float64, error) {
	if want.stored {
		return unitfile.Features.Cached(w.cache, want.key)
	}
	if a, ok := w.inMemory.Load(want.key); ok {
		return a.(extract.Answer).Rows, a.(extract.Answer).Time.Seconds(), nil
	}
	return nil, 0, fs.ErrNotExist
}

// keep stores raw rows where kept finds them.
func (w *Scene) keep(want wanted, a extract.Answer) error {
	if want.stored {
		return plan.Fault(unitfile.Features.Put(w.cache, want.key, a.Rows, a.Time.Seconds()))
	}
	w.inMemory.Store(want.key, a)
	return nil
}

// recheckRows computes the rows of programs again for the first image for which they are
// cached. It returns errors that stop the run. Others are those of the rows.
func (w *Scene) recheckRows(ds []config.Descriptor) error {
	if len(w.Plan.Config.Commands()) == 0 {
		return nil
	}
	known := make(map[string]bool) // settings
	for i := range w.Source.Images {
		for _, want := range w.wants(ds, i) {
			if want.descriptor.Command == nil || known[want.settings] {
				continue
			}
			cached, _, err := w.kept(want)
			if err != nil {
				continue
			}
			known[want.settings] = true
			if err := w.rowsByProgram(i, want).recheck(w, i, cached); errors.As(err, new(*plan.DataError)) {
				return err
			} else if err != nil {
				w.byProgram.Store(want.key, err)
			}
		}
	}
	return nil
}

// rowsByProgram returns how to compute the rows of image i by a program.
func (w *Scene) rowsByProgram(i int, want wanted) Repetition[*descriptors.Matrix] {
	return Repetition[*descriptors.Matrix]{
		Command: w.programOf(want), settings: want.settings, of: want.key, Differs: differentRows, free: w.Close,
		Compute: func() (*descriptors.Matrix, time.Duration, error) { return w.runProgram(i, want) },
	}
}

var errNoRows = errors.New("keypoints without descriptors, which operation detect of a descriptor needs")

// programOf returns the program that computes rows.
func (w *Scene) programOf(want wanted) *config.Command {
	c := want.descriptor.Command
	if c.Operation == config.DetectRows {
		detects := *w.Plan.Graph.Chain(want.descriptor.Keypoints)[0].Detect.Command // with the size of keypoints
		detects.Key, c = c.Key, &detects
	}
	return c
}

// runProgram returns the rows of image i that a program computes.
func (w *Scene) runProgram(i int, want wanted) (*descriptors.Matrix, time.Duration, error) {
	img, err := w.image(i)
	if err != nil {
		return nil, 0, err
	}
	call := w.call(w.programOf(want), i)
	if want.descriptor.Command.Operation != config.DetectRows {
		return call.describe(*img, want.keypoints)
	}
	found, err := call.detect(pixels(*img))
	if err != nil {
		return nil, found.took, err
	}
	if found.rows == nil && found.set.Len() > 0 {
		return nil, found.took, call.wrong(errNoRows)
	} else if found.rows == nil { // the rows of another image tell the number of elements
		drawing, err := extract.Drawing()
		if err != nil {
			return nil, found.took, err
		}
		defer drawing.Close()
		of, err := w.programs.trial(call.command).detect(pixels(drawing))
		if err != nil {
			return nil, found.took, err
		} else if of.rows == nil {
			return nil, found.took, call.wrong(errors.New("neither keypoints nor rows, want an array descriptors of shape (0, D), which has the number of elements"))
		}
		found.rows = of.rows.Select(nil)
	}
	rows, _ := found.pick(want.keypoints)
	if rows == nil {
		return nil, found.took, call.wrong(errors.New("other keypoints than before for the same image"))
	}
	return rows, found.took, nil
}

// extract computes raw rows of image i and keeps them.
func (w *Scene) extract(i int, all []wanted) []extract.Answer {
	answers := make([]extract.Answer, len(all))
	var requests []extract.Request
	var places []int // of the requests, in all
	for j, want := range all {
		if rows, took := w.pictures[i].onePass[want.settings].pick(want.keypoints); rows != nil {
			answers[j] = extract.Answer{Rows: rows, Time: took}
			continue
		}
		switch _, err := w.image(i); { // decoded, also for extract.All
		case err != nil:
			answers[j].Err = err
		case want.descriptor.Command != nil:
			a := &answers[j]
			if a.Rows, a.Time, a.Err = w.rowsByProgram(i, want).computed(w.Stage); a.Err != nil {
				w.byProgram.Store(want.key, a.Err)
			}
		default:
			requests = append(requests, extract.Request{Kind: want.descriptor.Type, Params: want.descriptor.Params, Keypoints: want.keypoints})
			places = append(places, j)
		}
	}
	if len(requests) > 0 {
		for j, a := range extract.All(*w.pictures[i].decoded, requests) {
			answers[places[j]] = a
		}
	}
	for j, want := range all {
		if answers[j].Err == nil {
			answers[j].Err = w.keep(want, answers[j])
			w.extracted.Store(want.key, want.by)
		}
	}
	return answers
}
