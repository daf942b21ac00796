package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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

// settingKeys are the names of the settings.
var settingKeys = []string{"cache", "data", "database", "jobs", "out"}

// maxJobs bounds --jobs: each job may hold a scene in memory.
const maxJobs = 1024

// settings are values that belong to a user or a machine, not to an experiment, by their keys:
// those of flags, else of DESCBENCH_* variables.
type settings map[string]setting

// A setting is a value, "" if it is not set, and what gives it: a flag or a variable.
type setting struct{ value, origin string }

// isSetting marks a flag as a setting: not every --out is one.
func isSetting(flagSet *pflag.FlagSet, name string) {
	relate(flagSet, name, "setting", nil)
}

// settingFlag returns the flag of a setting, or nil.
func settingFlag(flagSet *pflag.FlagSet, key string) *pflag.Flag {
	if f := flagSet.Lookup(key); f != nil {
		if _, is := f.Annotations["setting"]; is {
			return f
		}
	}
	return nil
}

func hasSettings(flagSet *pflag.FlagSet) bool {
	return slices.ContainsFunc(settingKeys, func(key string) bool { return settingFlag(flagSet, key) != nil })
}

// readSettings layers the flags of a command over the variables.
func readSettings(flags *pflag.FlagSet) (settings, error) {
	s, layers := make(settings), viper.New()
	var err error
	for _, key := range settingKeys {
		err = cmp.Or(err, layers.BindEnv(key, variable(key)))
		origin := ""
		if os.Getenv(variable(key)) != "" {
			origin = variable(key)
		}
		if f := settingFlag(flags, key); f != nil {
			err = cmp.Or(err, layers.BindPFlag(key, f))
			if f.Changed {
				origin = "--" + key
			}
		}
		value, fault := expanded(layers.GetString(key), origin)
		s[key], err = setting{value, origin}, cmp.Or(err, fault)
	}
	return s, err
}

// expanded returns a value with the folder that ~ stands for.
func expanded(value, origin string) (string, error) {
	switch {
	case config.HasVariable(value) && !strings.HasPrefix(origin, "--"):
		return "", &config.Error{File: origin, Msg: fmt.Sprintf("found %s, want a path without variables, which are not expanded", value)}
	case strings.HasPrefix(value, "~/"):
		home, err := os.UserHomeDir()
		if err != nil {
			return "", &config.Error{File: origin, Msg: fmt.Sprintf("found %s: %v", value, err)}
		}
		value = filepath.Join(home, value[2:])
	}
	return value, nil
}

func variable(key string) string { return "DESCBENCH_" + strings.ToUpper(key) }

// jobs returns the number of jobs.
func (s settings) jobs() (int, error) {
	n, err := strconv.Atoi(s["jobs"].value)
	if err == nil && n >= 1 && n <= maxJobs {
		return n, nil
	}
	return 0, fmt.Errorf("%s: found %s, want at least 1 and at most %d", cmp.Or(s["jobs"].origin, "--jobs"), s["jobs"].value, maxJobs)
}

// overrides returns the settings that are also values of an experiment config.
func (s settings) overrides() (o config.Overrides, err error) {
	for _, setting := range []struct{ key, configKey string }{
		{"data", "dataset.root"}, {"out", "output.root"}, {"database", "output.database"},
	} {
		value, origin := s[setting.key].value, s[setting.key].origin
		abs, err := filepath.Abs(value)
		if err != nil {
			return o, fmt.Errorf("%s: %w", setting.key, err)
		}
		switch override := (config.Override{Key: setting.configKey, Value: abs, Origin: origin}); {
		case value == "":
		case origin == "--"+setting.key:
			override.Origin += " " + value
			o.Flags = append(o.Flags, override)
		default:
			o.Variables = append(o.Variables, override)
		}
	}
	return o, nil
}
