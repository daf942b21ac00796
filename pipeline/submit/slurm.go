// Package submit hands a run to the scheduler of a cluster: it writes batch scripts
// from templates and submits them.
package submit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"descbench/configs"
	"descbench/eval/spelling"
	"descbench/files"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// Slurm says how Slurm is to compute a run: by an array job whose tasks compute one
// shard each, and a job that folds them.
type Slurm struct {
	Plan      *plan.Plan
	Tasks     int    // of the array
	Jobs      int    // processor cores of each task
	Cache     string // folder of cached features
	Program   string // path of descbench on the nodes; in the container, if there is one
	Container string // image that Apptainer runs; "": none
	Templates string // folder of array.sbatch and fold.sbatch; "": the built-in ones

	// Options of sbatch; "" leaves them to the cluster.
	Partition, Time, Mem, Constraint string
}

// Files are what a submission consists of.
type Files struct {
	Folder string // of the scripts and of the logs
	Text   map[string][]byte
}

// Submitted names the jobs of a submission.
type Submitted struct {
	Array  string `json:"array_job"`
	Fold   string `json:"fold_job"`
	Before bool   `json:"submitted_before,omitempty"` // the array, by an earlier command that may have been killed
}

const (
	arrayScript = "array.sbatch"
	foldScript  = "fold.sbatch"

	maxTemplate = 1 << 20 // bytes
)

// Scripts lists the names of the batch scripts in the order of submission.
func Scripts() []string { return []string{arrayScript, foldScript} }

// fields are what the templates may use. Paths are quoted for the shell.
type fields struct {
	Slurm
	Name               string // of the job
	Program            string // the command before its first argument
	Config, Run, Cache string
	Database           string // that the run is entered into; "": none
}

// Files fills in the templates. Tasks read a copy of the effective config, so that
// editing the config does not mix runs. Its name has its digest: tasks of an earlier
// submission may not have started yet.
func (s Slurm) Files() (*Files, error) {
	run := s.Plan.Folder()
	config := s.Plan.Config.YAML()
	out := &Files{Folder: run.Slurm(), Text: make(map[string][]byte)}
	name := "config-" + unitfile.Key(string(config))[:8] + ".yaml"
	out.Text[name] = config
	program, err := s.command()
	if err != nil {
		return nil, err
	}
	f := fields{
		Slurm: s, Name: regexp.MustCompile(`[^\w.-]+`).ReplaceAllString(s.Plan.Config.Experiment.Name, "_"),
		Program: program, Config: spelling.Shell(filepath.Join(out.Folder, name)), Run: spelling.Shell(string(run)), Cache: spelling.Shell(s.Cache),
	}
	if database := s.Plan.Config.Output.Database; database != "" {
		f.Database = spelling.Shell(database)
	}
	for _, name := range Scripts() {
		text, origin, err := s.template(name)
		if err != nil {
			return nil, err
		}
		t, err := template.New(origin).Option("missingkey=error").Parse(string(text))
		var b bytes.Buffer
		if err == nil {
			err = t.Execute(&b, f)
		}
		if err != nil {
			return nil, plan.Faultf("%w; see the fields in the built-in templates (--dry-run prints them filled in)", err)
		}
		out.Text[name] = b.Bytes()
	}
	return out, nil
}

func (s Slurm) template(name string) (text []byte, origin string, err error) {
	if s.Templates == "" {
		text, err = fs.ReadFile(configs.Slurm, "slurm/"+name)
		return text, name, err
	}
	path := filepath.Join(s.Templates, name)
	text, err = files.Read(path, maxTemplate)
	return text, path, plan.Fault(err)
}

// command returns how a script calls descbench. Apptainer runs it as the caller, with
// a root file system that cannot be written; the folders are bound at the same paths.
func (s Slurm) command() (string, error) {
	if s.Container == "" {
		return spelling.Shell(s.Program), nil
	}
	words := []string{"apptainer", "exec"}
	for _, path := range append(s.Plan.Config.Folders(), s.Cache) {
		if strings.ContainsAny(path, `:,\`) {
			return "", plan.Faultf("--container: found a colon, comma or backslash in %q, which apptainer --bind cannot take; use another folder", path)
		}
		words = append(words, "--bind", spelling.Shell(path))
	}
	return strings.Join(append(words, spelling.Shell(s.Container), s.Program), " "), nil
}

// Submit writes the files and submits the jobs. Jobs of the same files that are still in
// the queue, perhaps because an earlier command was killed, are not submitted again. Submit
// returns an error if other jobs of the run are in the queue.
func (f *Files) Submit(ctx context.Context, log *slog.Logger) (out Submitted, err error) {
	if _, err := exec.LookPath("sbatch"); err != nil {
		return out, plan.Faultf("sbatch: not found; run descbench submit on a machine of the cluster, or see the scripts with --dry-run")
	}
	if out, err = queued(ctx, f.Folder); errors.Is(err, exec.ErrNotFound) {
		log.Warn("squeue: not found, so jobs of an earlier submission, if any, are submitted again")
	} else if err != nil {
		return out, fmt.Errorf("%w; nothing submitted; retry when squeue answers", err)
	}
	if job := cmp.Or(out.Array, out.Fold); job != "" && (out.Array == "" || !f.written()) {
		return out, plan.Faultf("job %s%s, submitted before from %s, is still in the queue; wait until it has ended, or cancel it with scancel %s", job, store.OfOther(filepath.Join(f.Folder, arrayScript)), f.Folder, job)
	}
	if out.Before = out.Array != ""; !out.Before {
		for name, text := range f.Text {
			if err := plan.WriteBytes(filepath.Join(f.Folder, name), text); err != nil {
				return out, plan.Fault(err)
			}
		}
		if out.Array, err = f.sbatch(ctx, arrayScript); err != nil {
			return out, err
		}
	}
	if out.Fold == "" {
		// afterany, because fold says what is missing if a task failed.
		if out.Fold, err = f.sbatch(ctx, foldScript, "--dependency=afterany:"+out.Array); err != nil {
			return out, fmt.Errorf("%w; the array is submitted as job %s; rerun the same command to submit the rest", err, out.Array)
		}
	}
	return out, nil
}

// Queued returns the jobs of a run that are in the queue. It returns an error if that is not
// known: Slurm cannot be asked, or may hide jobs of another user (PrivateData in slurm.conf).
func Queued(ctx context.Context, run plan.Folder) ([]string, error) {
	found, err := queued(ctx, run.Slurm())
	jobs := slices.DeleteFunc([]string{found.Array, found.Fold}, func(job string) bool { return job == "" })
	if other := store.OfOther(filepath.Join(run.Slurm(), arrayScript)); other != "" && err == nil && len(jobs) == 0 {
		err = plan.Faultf("squeue shows no jobs%s: they have ended, or only their owner sees them", other)
	}
	return jobs, err
}

// queued returns the jobs, whoever's, that were submitted from a folder and have not ended.
// Slurm itself is asked, because a command can be killed before it notes a job.
func queued(ctx context.Context, folder string) (jobs Submitted, err error) {
	if folder, err = filepath.Abs(folder); err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return jobs, nil // nothing was submitted from it
	} else if err != nil {
		return jobs, plan.Fault(err)
	}
	stdout, err := output(exec.CommandContext(ctx, "squeue", "--all", "--noheader", "--format=%F|%Z|%o")) // job of the array, folder, script
	if err != nil {
		return jobs, plan.Faultf("cannot ask squeue: %w", err)
	}
	for line := range strings.Lines(stdout) {
		job, rest, _ := strings.Cut(strings.TrimSpace(line), "|")
		script, here := strings.CutPrefix(rest, folder+"|")
		switch {
		case here && filepath.Base(script) == arrayScript:
			jobs.Array = job
		case here && filepath.Base(script) == foldScript:
			jobs.Fold = job
		}
	}
	return jobs, nil
}

// written reports whether the files are in the folder.
func (f *Files) written() bool {
	for name, text := range f.Text {
		if there, err := files.Read(filepath.Join(f.Folder, name), maxTemplate); err != nil || !bytes.Equal(there, text) {
			return false
		}
	}
	return true
}

// sbatch submits a script and returns the number of its job.
func (f *Files) sbatch(ctx context.Context, script string, options ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "sbatch", append(append([]string{"--parsable"}, options...), script)...)
	cmd.Dir = f.Folder // where the logs go
	stdout, err := output(cmd)
	if ctx.Err() != nil {
		return "", ctx.Err()
	} else if err != nil {
		return "", plan.Faultf("sbatch %s: %w", filepath.Join(f.Folder, script), err)
	}
	id, _, _ := strings.Cut(strings.TrimSpace(stdout), ";") // JOB;CLUSTER
	if !regexp.MustCompile(`^\d+$`).MatchString(id) {
		return "", plan.Faultf("sbatch %s: found %q, want the number of a job", filepath.Join(f.Folder, script), stdout)
	}
	return id, nil
}

// output returns what a command of Slurm prints, or what it says is wrong.
func output(cmd *exec.Cmd) (string, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if said := strings.Join(strings.Fields(stderr.String()), " "); err != nil && said != "" {
		err = errors.New(said)
	}
	return string(stdout), err
}
