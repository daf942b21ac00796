package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/files"
)

// settingsHelp explains how users set their own defaults.
const settingsHelp = `
USER DEFAULTS
  $XDG_CONFIG_HOME/descbench/config.yaml (~/.config/descbench/config.yaml) may
  set these keys, and descbench/config.yaml below $XDG_CONFIG_DIRS (/etc/xdg) those
  that it does not set, for all users. Each has an environment variable:

  data      DESCBENCH_DATA      folder of scenes
  out       DESCBENCH_OUT       parent of the run folders
  database  DESCBENCH_DATABASE  SQLite file that collects the results of all runs
  cache     DESCBENCH_CACHE     folder of cached features
  jobs      DESCBENCH_JOBS      processor cores to use

  A flag overrides the variable, and the variable overrides the files. Flags and
  variables also override the experiment config. data, out and database in a
  file are defaults for its dataset.root, output.root and output.database.
  Relative paths in a file are relative to its folder; ~/ is the home folder, variables
  are not expanded. "" in a user's file removes a default for all users.
`

// settingKeys are the keys of a settings file.
var settingKeys = []string{"cache", "data", "database", "jobs", "out"}

// maxJobs bounds --jobs: each job may hold a scene in memory.
const maxJobs = 1024

// settings are values that belong to a user or a machine, not to an experiment, by their keys:
// those of flags, else of DESCBENCH_* variables, else of the user's settings file, else of those
// for all users.
type settings map[string]setting

// A setting is a value, "" if it is not set, and what gives it: a flag, a variable or a file.
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

// readSettings layers the flags of a command over the variables and the settings
// files. The files need not exist.
func readSettings(flags *pflag.FlagSet) (settings, error) {
	s, layers := make(settings), viper.New()
	fromFile, err := mergeFiles(layers)
	for _, key := range settingKeys {
		err = cmp.Or(err, layers.BindEnv(key, variable(key)))
		origin := fromFile[key]
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

// mergeFiles reads the files for all users, whose first folder takes precedence, and then
// the user's own, as the XDG Base Directory Specification says. It returns which file gives a key.
func mergeFiles(layers *viper.Viper) (map[string]string, error) {
	folders := filepath.SplitList(cmp.Or(os.Getenv("XDG_CONFIG_DIRS"), "/etc/xdg"))
	slices.Reverse(folders)
	if own, err := os.UserConfigDir(); err == nil { // else no home, no file
		folders = append(folders, own)
	}
	origins := make(map[string]string)
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			continue // as specified
		}
		path := filepath.Join(folder, "descbench", "config.yaml")
		values, err := readFile(path)
		if err == nil {
			err = layers.MergeConfigMap(values)
		}
		if err != nil {
			return nil, err
		}
		for key := range values {
			origins[key] = path + ": " + key
		}
	}
	return origins, nil
}

// readFile returns the values of a settings file. Paths that are relative to its folder become absolute.
func readFile(path string) (map[string]any, error) {
	text, err := files.Read(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var values map[string]any
	if err := yaml.Unmarshal(text, &values); err != nil {
		return nil, &config.Error{File: path, Msg: strings.Join(strings.Fields(err.Error()), " ")}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if err := check(path, key, values[key]); err != nil {
			return nil, err
		}
		if to, is := values[key].(string); is && to != "" && !filepath.IsAbs(to) && !strings.HasPrefix(to, "~/") && !config.HasVariable(to) {
			values[key] = filepath.Join(filepath.Dir(path), to)
		}
	}
	return values, nil
}

// check checks the type of a value of a file.
func check(file, key string, value any) error {
	text, isText := value.(string)
	_, notNumber := strconv.Atoi(text)
	n, isNumber := value.(int)
	msg := ""
	switch {
	case !slices.Contains(settingKeys, key):
		msg = fmt.Sprintf("unknown key, want one of %s%s", strings.Join(settingKeys, ", "), spelling.Hint(key, settingKeys))
	case key == "jobs" && notNumber == nil:
		msg = fmt.Sprintf("found %q, want a whole number from 1 to %d, without quotes", text, maxJobs)
	case key == "jobs" && (!isNumber || n < 1 || n > maxJobs):
		msg = fmt.Sprintf("found %v, want a whole number from 1 to %d", value, maxJobs)
	case key != "jobs" && !isText:
		msg = fmt.Sprintf(`found %v, want a path, or "" for none`, cmp.Or(value, any("nothing")))
	default:
		return nil
	}
	return &config.Error{File: file, Key: key, Msg: msg}
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
// Flags and variables override the config; the files give defaults for it.
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
		case origin == variable(setting.key):
			o.Variables = append(o.Variables, override)
		default:
			o.Defaults = append(o.Defaults, override)
		}
	}
	return o, nil
}
