package scope

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The rules for names of experiments, keypoint sets and descriptors: MaxName is their
// maximum length in bytes. Names become names of files and folders. They must not be
// hidden files, paths out of the run folder, or words that a shell command reads as flags.
const (
	MaxName    = 100
	NameWanted = "a name of letters, digits and . _ - / whose parts between slashes begin with a letter, a digit or _ (at most 100 bytes)"
)

// NamePattern is the form of these names.
var NamePattern = regexp.MustCompile(`^[\p{L}\p{Nd}_][\p{L}\p{M}\p{Nd}_.-]*(/[\p{L}\p{Nd}_][\p{L}\p{M}\p{Nd}_.-]*)*$`)

// CheckName returns an error unless an experiment, a keypoint set or a descriptor may have
// this name. A config is held to it, and whatever names are read of a run.
func CheckName(name string) error {
	if len(name) > MaxName || !NamePattern.MatchString(name) {
		return fmt.Errorf("found the name %.40q, want %s", name, NameWanted)
	}
	if err := Indistinct(name); err != nil {
		return fmt.Errorf("found the name %q, %w", name, err)
	}
	return nil
}

// Indistinct makes sure that different names give different paths in a run
// folder, on every file system: é in its composed and its decomposed form are two
// texts, and the file of scene x of descriptor a must not be descriptor a/x.zip. It
// returns an error that says what is wanted of a name that does not.
func Indistinct(name string) error {
	if !norm.NFC.IsNormalString(name) {
		return errors.New("want accented letters as single characters (Unicode form NFC)")
	}
	for part := range strings.SplitSeq(name, "/") {
		if slices.Contains([]string{".zip", ".npz", ".json"}, strings.ToLower(path.Ext(part))) {
			return errors.New("want a name whose parts between slashes do not end in .zip, .npz or .json, as the files of a run do")
		}
	}
	return nil
}

// MaxSceneName is the maximum length of a scene's name in bytes. A file name has
// at most 255 bytes, and a run appends extensions and marks to the name.
const MaxSceneName = 200

// CheckSceneName returns an error unless a scene may have this name. Names become
// file names, table cells, and keys of key=value;... lists, and are printed on
// terminals. Letters of every alphabet, spaces and other printable characters are
// allowed.
func CheckSceneName(name string) error {
	const reserved = `\;=`
	switch {
	case name == "":
		return fmt.Errorf("scene name is empty")
	case !utf8.ValidString(name):
		return fmt.Errorf("scene name %+q is not valid UTF-8", name)
	case len(name) > MaxSceneName:
		return fmt.Errorf("scene name %.40q… is %d bytes long, want at most %d", name, len(name), MaxSceneName)
	case name[0] == '.':
		return fmt.Errorf("scene name %q begins with a dot", name)
	}
	if group, rest, grouped := strings.Cut(name, "/"); grouped && (group == "" || rest == "" || rest[0] == '.' || strings.Contains(rest, "/")) {
		return fmt.Errorf("scene name %q, want at most one slash, between a group and a name that does not begin with a dot", name)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) || strings.ContainsRune(reserved, r) {
			return fmt.Errorf(`scene name %q contains %q, want printable characters other than \ ; =`, name, r)
		}
	}
	return nil
}

// Group returns the group of a scene, such as the place that it shows: what precedes the slash in
// its name, or the name itself, so that a scene without one is a group of its own.
func Group(scene string) string {
	group, _, _ := strings.Cut(scene, "/")
	return group
}

// WithoutGroup returns what follows the slash in a scene's name, or the name itself.
func WithoutGroup(scene string) string { return scene[strings.LastIndexByte(scene, '/')+1:] }

// CheckScope returns an error if a scope names a scene that may not have this name.
func CheckScope(of string) error {
	if id := Parse(of); id.IsOne() {
		return CheckSceneName(id.Scene)
	}
	return nil
}
