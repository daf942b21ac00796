package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"descbench/pipeline/config"
)

// settingsHelp lists the variables of users and machines.
const settingsHelp = `
ENVIRONMENT VARIABLES
  DESCBENCH_DATA      folder of scenes
  DESCBENCH_OUT       parent of the run folders
  DESCBENCH_DATABASE  SQLite file that collects the results of all runs
  DESCBENCH_CACHE     folder of cached features
  DESCBENCH_JOBS      processor cores to use

  A flag overrides the variable, and both override the experiment config.
  descbench config --help has those of single values of a config.
`

// settingKeys are the names of the settings with a flag: values that belong to a user or a machine, not to an
// experiment.
var settingKeys = []string{"cache", "data", "jobs", "out"}

// isSetting marks a flag as a setting: not every --out is one.
func isSetting(fs *pflag.FlagSet, name string) { relate(fs, name, settingOf, []string{name}) }

// resolve fills in the settings that the command line lacks from variables.
func (f *commonFlags) resolve(fs *pflag.FlagSet) (err error) {
	layers := viper.New()
	f.given = make(map[string]bool)
	for _, key := range settingKeys {
		flag := fs.Lookup(key)
		if flag == nil || flag.Annotations[settingOf] == nil {
			continue
		}
		if err := cmp.Or(layers.BindEnv(key, variable(key)), layers.BindPFlag(key, flag)); err != nil {
			return err
		}
		value, err := expanded(key, layers.GetString(key), flag.Changed)
		if err != nil {
			return err
		}
		f.given[key] = flag.Changed
		if value == flag.Value.String() {
			continue
		}
		if flag.Value.Set(value) != nil {
			return usageError{fmt.Errorf("%s: found %q, want %s", variable(key), value, flagTypes[flag.Value.Type()])}
		}
		if text := misfit(flag); text != "" {
			return usageError{fmt.Errorf("%s: %s", variable(key), text)}
		}
	}
	if len(f.given) == 0 {
		return nil
	}
	if f.database, err = expanded("database", os.Getenv(variable("database")), false); err != nil {
		return err
	}
	if _, caches := f.given["cache"]; caches && f.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return usageError{fmt.Errorf("found no folder for cached features (%w), want --cache DIR", err)}
		}
		f.cache = filepath.Join(dir, "descbench")
	}
	runtime.GOMAXPROCS(min(f.jobs, runtime.GOMAXPROCS(0))) // for the garbage collector and all who ask the runtime for the number
	return nil
}

// expanded returns the value of a setting with the folder that ~ stands for.
func expanded(key, value string, given bool) (string, error) {
	switch {
	case config.HasVariable(value) && !given:
		return "", usageError{fmt.Errorf("%s: found %s, want a path without variables, which are not expanded", variable(key), value)}
	case strings.HasPrefix(value, "~/"):
		home, err := os.UserHomeDir()
		if err != nil {
			return "", usageError{fmt.Errorf("--%s, %s: found %s: %w", key, variable(key), value, err)}
		}
		value = filepath.Join(home, value[2:])
	}
	return value, nil
}

func variable(key string) string { return "DESCBENCH_" + strings.ToUpper(key) }

// overrides returns the settings that are also values of an experiment config.
func (f *commonFlags) overrides() (o config.Overrides, err error) {
	for _, s := range []struct{ key, configKey, value string }{
		{"data", "dataset.root", f.data}, {"out", "output.root", f.outputRoot}, {"database", "output.database", f.database},
	} {
		if s.value == "" {
			continue
		}
		abs, err := filepath.Abs(s.value)
		if err != nil {
			return o, fmt.Errorf("%s: %w", s.key, err)
		}
		if f.given[s.key] {
			o.Flags = append(o.Flags, config.Override{Key: s.configKey, Value: abs, Origin: "--" + s.key + " " + s.value})
		} else {
			o.Variables = append(o.Variables, config.Override{Key: s.configKey, Value: abs, Origin: variable(s.key)})
		}
	}
	return o, nil
}
