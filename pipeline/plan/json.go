package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"descbench/keypoints/openfile"
	"descbench/pipeline/store"
)

// WriteBytes writes a file atomically: it appears under its name only when it is
// complete.
func WriteBytes(path string, b []byte) error {
	return Fault(store.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}))
}

// WriteJSON writes a value as indented JSON, atomically like WriteBytes.
func WriteJSON(path string, v any) error {
	b, err := jsonBytes(path, v)
	if err != nil {
		return err
	}
	return WriteBytes(path, b)
}

// jsonBytes returns the content of a JSON file.
func jsonBytes(path string, v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return append(b, '\n'), nil
}

// maxJSON limits a JSON file of a run in bytes. It has room for the digests of all
// files of 100 000 scenes.
const maxJSON = 256 << 20

// ReadJSON reads a JSON file. The error for a missing file matches
// fs.ErrNotExist.
func ReadJSON(path string, v any) error {
	b, err := openfile.Read(path, maxJSON)
	if err != nil {
		return Fault(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		return Faultf("%s: %w", path, err)
	}
	return nil
}

// Missing reports whether a file does not exist.
func Missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
