package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"descbench/eval/spelling"
	"descbench/pipeline"
	"descbench/pipeline/plan"
	"descbench/pipeline/submit"
)

// maxTasks is Slurm's own largest limit of an array (MaxArraySize).
const maxTasks = 4_000_001

type submitOptions struct {
	submit.Slurm
	dryRun bool
}

func newSubmitCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "submit",
		Short: "Hand a run to the scheduler of a cluster",
	}
	var opts submitOptions
	slurm := &cobra.Command{
		Use:   "slurm CONFIG",
		Short: "Submit a run to Slurm as an array job, and a job that folds it",
		Long: `Slurm submits an array job whose tasks compute one part of the run each, and a job
that computes the results and the report when all tasks have ended.

It writes the batch scripts and the effective config to
<output.root>/.slurm/<experiment name>, where the logs appear, too. All nodes must
see the data, the run folder, the cache and this program at the same paths. A
task that is killed, requeued or reaches its time limit computes what is missing when Slurm
starts it again. Rerun a killed command: jobs that are still in the queue are not
submitted again. It prints the warnings of descbench plan, which also checks files and
programs of yours: run it first. To repeat single tasks, submit a part of the array:
sbatch --array=3,7 array.sbatch

The scripts are made from the text templates in configs/slurm. To change them, copy
this folder and name the copy with --templates.
` + exitHelp,
		Example: `  descbench submit slurm configs/demo.yaml --tasks 2 --dry-run
  descbench submit slurm configs/sift_baseline.yaml --tasks 58 --jobs 4 --time 2:00:00 --mem 4G
  descbench submit slurm configs/sift_baseline.yaml --tasks 58 --container descbench.sif`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSubmitSlurm(cmd, flags, opts, args[0])
		},
	}
	fs := slurm.Flags()
	fs.IntVar(&opts.Tasks, "tasks", 0, "number of tasks of the array")
	fs.IntVar(&opts.Jobs, "jobs", 1, "processor cores of each task")
	limits(fs, "tasks", 1, maxTasks)
	limits(fs, "jobs", 1, maxJobs)
	fs.StringVar(&opts.Partition, "partition", "", "partition of the cluster")
	fs.StringVar(&opts.Time, "time", "", "time limit of a task, as in sbatch --time, e.g. 2:00:00")
	fs.StringVar(&opts.Mem, "mem", "", "memory of a task, as in sbatch --mem, e.g. 4G")
	fs.StringVar(&opts.Constraint, "constraint", "", "features of the nodes, as in sbatch --constraint, e.g. avx512")
	fs.StringVar(&opts.Container, "container", "", "image that Apptainer runs, e.g. descbench.sif")
	fs.StringVar(&opts.Templates, "templates", "", "folder of edited templates (default: those in configs/slurm)")
	fs.BoolVar(&opts.dryRun, "dry-run", false, "print the scripts; write and submit nothing")
	flags.addConfig(fs)
	flags.addOutputRoot(fs)
	flags.addCache(fs)
	cmd.AddCommand(slurm)
	return cmd
}

// check returns an error about the flags.
func (o *submitOptions) check() error {
	if o.Tasks == 0 {
		return usageError{errors.New("--tasks is missing, want the number of tasks of the array")}
	}
	const plain, operators = `^[\w.,:/+-]*$`, `^[\w.,:/+&|*()\[\]-]*$`
	for _, f := range []struct{ name, value, may, want string }{
		{"partition", o.Partition, plain, "names of partitions"},
		{"time", o.Time, plain, "a time limit such as 30 (minutes), 2:00:00 or 1-12"},
		{"mem", o.Mem, plain, "an amount of memory such as 4G"},
		{"constraint", o.Constraint, operators, "features of nodes such as avx512 or 'intel|amd'"},
	} {
		if !regexp.MustCompile(f.may).MatchString(f.value) {
			return usageError{fmt.Errorf("--%s: found %q, want %s", f.name, f.value, f.want)}
		}
	}
	return nil
}

func runSubmitSlurm(cmd *cobra.Command, flags *commonFlags, opts submitOptions, path string) error {
	if err := opts.check(); err != nil {
		return err
	}
	cfg, err := loadConfig(flags, path)
	if err != nil {
		return err
	}
	if opts.Plan, err = plan.Find(cfg); err != nil {
		return err
	}
	if err := opts.Plan.Conflict(); err != nil {
		return err
	}
	if opts.Plan.UnitsDone() == opts.Plan.Units() && !opts.dryRun {
		flags.logger().Warn("all units of the run exist: the jobs have nothing to compute", "run", string(opts.Plan.Folder()))
	}
	if n := len(opts.Plan.Scenes); opts.Tasks > n {
		flags.logger().Warn(fmt.Sprintf("a task takes at least a scene; --tasks %d is enough", n))
	}
	if opts.Cache, err = cacheFolder(flags); err != nil {
		return err
	}
	if opts.Cache, err = filepath.Abs(opts.Cache); err != nil {
		return err
	}
	warnings, err := pipeline.Foresee(cmd.Context(), opts.Plan, opts.Cache)
	for _, text := range warnings {
		flags.logger().Warn(text)
	}
	if err != nil {
		return err
	}
	if opts.Program, err = os.Executable(); err != nil { // the nodes are expected to have it at the same place
		return plan.Fault(err)
	}
	if opts.Container != "" {
		opts.Program = "descbench"
		if _, err := os.Stat(opts.Container); err == nil { // not docker://NAME
			if opts.Container, err = filepath.Abs(opts.Container); err != nil {
				return err
			}
		}
	}
	files, err := opts.Files()
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if opts.dryRun {
		for _, name := range submit.Scripts() {
			if _, err := fmt.Fprintf(out, "# %s\n%s\n", filepath.Join(files.Folder, name), files.Text[name]); err != nil {
				return err
			}
		}
		return nil
	}
	jobs, err := files.Submit(cmd.Context(), flags.logger())
	if err != nil {
		return err
	}
	run := string(opts.Plan.Folder())
	if flags.json {
		return printJSON(out, struct {
			submit.Submitted
			Tasks   int    `json:"tasks"`
			Folder  string `json:"folder"`
			Scripts string `json:"scripts"`
		}{jobs, opts.Tasks, run, files.Folder})
	}
	about := newFacts()
	before := ""
	if jobs.Before {
		before = ", submitted before and still in the queue"
	}
	about.add("array job", "%s: %s of %s%s", jobs.Array, spelling.Count(opts.Tasks, "task"), spelling.Count(len(opts.Plan.Scenes), "scene"), before)
	about.add("fold job", "%s", jobs.Fold)
	about.add("scripts and logs", "%s", files.Folder)
	if err := about.print(out); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "to follow it, run: descbench status %s --watch\n", spelling.Shell(run))
	return err
}
