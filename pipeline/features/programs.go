package features

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"descbench/descriptors/extract/patchcut"
	"descbench/eval/fact"
	"descbench/eval/spelling"
	"descbench/pipeline/child"
	"descbench/pipeline/config"
	"descbench/pipeline/files"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/plan"
)

// settingsOf identifies what a descriptor's raw rows depend on in addition to the image and
// its keypoints. Pooling, rooting and normalisation are applied later and are cheap.
func (p *programs) settingsOf(d config.Descriptor) (settings string, stored bool, err error) {
	if d.Command != nil {
		return p.settings(d.Command)
	}
	return d.Type + " " + d.Params.String(), true, nil
}

// programs runs the user's programs for a stage. Commands that are alike share
// processes.
type programs struct {
	ctx      context.Context         // in which they run; nil: they may not be started
	recorded func() plan.Environment // that of the run, as far as there is one
	log      *slog.Logger

	mu      sync.Mutex
	pools   map[string]*child.Pool
	digests map[string]string // of files, by path
	told    sync.Map          // what has been logged or probed
	last    sync.Map          // checks for the end of the run, by key in the config
}

func newPrograms(log *slog.Logger, recorded func() plan.Environment) *programs {
	return &programs{log: log, recorded: recorded, pools: make(map[string]*child.Pool), digests: make(map[string]string)}
}

// close ends all processes, logs and returns what they note, and warns of those that died or
// hung unnoticed.
func (p *programs) close(commands map[string]*config.Command) (notes []fact.Fact) {
	keys := make(map[*child.Pool][]string)
	for _, key := range slices.Sorted(maps.Keys(commands)) {
		pool := p.pool(commands[key])
		keys[pool] = append(keys[pool], key)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pool := range p.pools {
		notesOf, calls, why := pool.Close()
		for _, note := range notesOf {
			p.log.Info("note: "+note, "program", pool.Command)
			notes = append(notes, fact.New(fact.ProgramSays).Naming("note", note).Naming("keys", keys[pool]...))
		}
		if calls > 0 {
			p.log.Warn("a program died or hung; the calls were repeated in a new process", "program", pool.Command, "calls", calls, "last", why)
		}
	}
	clear(p.pools)
	return notes
}

// StartPrograms starts the programs of the plan, which are killed when ctx ends, and
// returns what they serve, by their keys in the config. With name, it logs their
// commands. Without StartPrograms, a Stage starts no program: it takes rows from the cache.
func (s *Stage) StartPrograms(ctx context.Context, name bool) (map[string]child.Function, error) {
	if err := FindPrograms(s.Plan.Config); err != nil {
		return nil, err
	}
	s.programs.ctx = ctx
	functions := make(map[string]child.Function)
	commands := s.Plan.Config.Commands()
	for _, key := range slices.Sorted(maps.Keys(commands)) {
		c := commands[key]
		line := child.Command{Argv: c.Run}.String() + " (in " + c.Folder + ")"
		if _, told := s.programs.told.LoadOrStore(line, true); name && !told && !c.Relayed() {
			s.opt.Logger().Info("starts the program of " + key + ": " + line)
		}
		f, err := s.programs.function(c)
		if err != nil {
			return nil, err
		}
		functions[key] = f
	}
	return functions, nil
}

func keyOf(d config.Descriptor) string { return fmt.Sprintf("descriptors[%s]", d.Name) }

// function returns what a program says of its function. It starts the program unless
// that is not allowed.
func (p *programs) function(c *config.Command) (child.Function, error) {
	if p.ctx == nil {
		if f := p.recorded().Programs[c.Key].Function; f != nil {
			return *f, nil
		}
		return child.Function{}, notStarted(c)
	}
	hello, err := p.pool(c).Hello()
	if err != nil {
		return child.Function{}, plan.Fault(fmt.Errorf("%s: %w", c.Key, err))
	}
	f, err := hello.Find(string(cmp.Or(c.Operation, config.DetectRows)), c.Function)
	if err != nil {
		return f, plan.Faultf("%s: %s %w", c.Key, c, err)
	}
	return f, nil
}

func notStarted(c *config.Command) error {
	if c.Relayed() {
		return plan.Faultf("%s: this needs results of %s that are not in the cache; only the Python program that has called descbench.evaluate can compute them", c.Key, c)
	}
	return plan.Faultf("%s: this needs results of %s that are not in the cache, and only descbench run starts programs; run the config of this run again with --set experiment.name=NEW, which fills the cache", c.Key, c)
}

func (p *programs) pool(c *config.Command) *child.Pool {
	id := fmt.Sprintf("%q %q %q %d %v", c.Run, c.Files, c.Folder, c.Instances, c.Timeout)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pools[id] == nil {
		p.pools[id] = child.New(p.ctx, child.Command{Argv: c.Run, Dir: c.Folder, Timeout: c.Timeout, Instances: c.Instances})
	}
	return p.pools[id]
}

// settings identifies what the results of a program depend on: what it says of its
// function, its arguments, the content of its files and how patches are cut. A program
// without files is that of its folder, unless a package's version stands for them. Results are not
// stored in the cache if the function has no version: then nothing tells a change of it.
func (p *programs) settings(c *config.Command) (out string, stored bool, err error) {
	f, err := p.function(c)
	if err != nil {
		return "", false, err
	}
	out = fmt.Sprintf("command %d %d %+v %q", child.Protocol, importer.Version, f, c.Run)
	for _, path := range c.Files {
		digest, err := p.digest(path)
		if err != nil {
			return "", false, plan.Faultf("%s.files: %w", c.Key, err)
		}
		out += " " + digest
	}
	if len(c.Files) == 0 && !c.OfPackage() {
		out += fmt.Sprintf(" %q", c.Folder)
	}
	if c.Patches != nil {
		out += fmt.Sprintf(" patches %d %+v", patchcut.Version, *c.Patches)
	}
	return out, f.Version != "", nil
}

func (p *programs) digest(path string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.digests[path] == "" {
		digest, err := plan.ProgramDigest(path)
		if err != nil {
			return "", err
		}
		p.digests[path] = digest
	}
	return p.digests[path], nil
}

// warn logs a message once per what.
func (p *programs) warn(what, message string, args ...any) {
	if _, told := p.told.LoadOrStore(what, true); !told {
		p.log.Warn(message, args...)
	}
}

// FindPrograms returns an error if a program of the config, a Python script or a declared file
// does not exist, or if the files contain the run folder. It starts none.
func FindPrograms(cfg *config.Config) error {
	commands := cfg.Commands()
	for _, key := range slices.Sorted(maps.Keys(commands)) {
		if err := findProgram(cfg, commands[key]); err != nil {
			return err
		}
	}
	return nil
}

func findProgram(cfg *config.Config, c *config.Command) error {
	key := c.Key
	if plan.Missing(c.Folder) { // as in a run of somebody else
		files := ""
		if len(c.Files) > 0 {
			files = " and --set " + spelling.Shell(key+".files=[DIR/FILE]")
		}
		return plan.Faultf("%s: no folder %s, in which %s runs; if the run is from elsewhere, put the program into a folder of yours, DIR (an absolute path), and add --set %s%s",
			key, c.Folder, c, spelling.Shell(key+".folder=DIR"), files)
	}
	var named []string
	if strings.Contains(c.Run[0], "/") {
		named = c.Run[:1]
	} else if _, err := exec.LookPath(c.Run[0]); err != nil {
		return plan.Faultf("%s.run: found %q, which is in no folder of PATH; install it, or give its path", key, c.Run[0])
	}
	if len(c.Run) > 1 && strings.HasPrefix(filepath.Base(c.Run[0]), "python") && strings.HasSuffix(c.Run[1], ".py") {
		named = append(slices.Clone(named), c.Run[1])
	}
	for _, name := range named {
		if !filepath.IsAbs(name) {
			name = filepath.Join(c.Folder, name)
		}
		if plan.Missing(name) {
			return plan.Faultf("%s.run: %s: no such file%s; correct its name, or set folder, where the program runs", key, name, files.Meant(name))
		}
	}
	for _, path := range c.Files {
		if plan.Missing(path) {
			return plan.Faultf("%s.files: %s: no such file or directory%s", key, path, files.Meant(path))
		}
		if run := string((&plan.Plan{Config: cfg}).Folder()); strings.HasPrefix(run, path+"/") {
			return plan.Faultf("%s.files: %s contains the run folder %s, which changes during the run; list the source files, or set output.root to another place", key, path, run)
		}
	}
	return nil
}
