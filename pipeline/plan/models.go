package plan

import (
	"fmt"
	"maps"
	"slices"

	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// models maps each network descriptor to the digest of its model.
func models(cfg *config.Config) (map[string]string, error) {
	out := make(map[string]string)
	for _, d := range cfg.Descriptors {
		if d.ONNX == nil {
			continue
		}
		digest, err := FileDigest(d.ONNX.Model)
		if err != nil {
			return nil, Faultf("descriptor %s: model: %w", d.Name, err)
		}
		out[d.Name] = digest
	}
	return out, nil
}

// changedFiles lists the files whose digests, by name, have changed since the run was
// started. what says what a file of a name is.
func changedFiles(begun, now map[string]string, what func(name string) string) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was, is := begun[name], now[name]; was != is {
			out = append(out, fmt.Sprintf("%s changed (SHA-256 %.12s -> %.12s)", what(name), was, is))
		}
	}
	return out
}

// maxInputFile limits a network model or imported features in bytes. The packages
// that read them have their own limits, none of them higher.
const maxInputFile = 2 << 30

// FileDigest returns the SHA-256 of a file as hexadecimal digits.
func FileDigest(path string) (string, error) { return store.FileDigest(path, maxInputFile) }
