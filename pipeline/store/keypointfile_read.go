package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"descbench/keypoints"
	"descbench/keypoints/openfile"
)

// A KeypointFile is a keypoint file open for reading scene by scene. It is not
// safe for concurrent use.
type KeypointFile struct {
	KeypointHeader
	path    string
	file    *os.File
	groups  []parquet.RowGroup // one per scene; nil for a scene without keypoints
	columns map[string]int     // column index by name
}

// OpenKeypointFile opens a keypoint file and reads its header. Errors about the
// content wrap ErrDamaged, except for a file of a different version.
func OpenKeypointFile(path string) (*KeypointFile, error) {
	file, err := openfile.Open(path, maxRecordsFile)
	if err != nil {
		return nil, err
	}
	f := &KeypointFile{path: path, file: file}
	if err := f.open(); err != nil {
		_ = f.Close() // read only: nothing can be lost
		if errors.Is(err, errColumns) || errors.Is(err, errNewer) {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return nil, damaged(path, err)
	}
	return f, nil
}

func (f *KeypointFile) open() (err error) {
	defer recoverDamage(&err)
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	file, err := openParquet(f.file, info.Size())
	if err != nil {
		return err
	}
	version, _ := file.Lookup(keypointsKey)
	if err := checkVersion("keypoint file", version, keypointsVersion); err != nil {
		return err
	}
	header, _ := file.Lookup(headerKey)
	if sum, _ := file.Lookup(headerSumKey); sum != SHA256([]byte(header)) {
		return fmt.Errorf("%s: checksum mismatch", headerKey)
	}
	if err := json.Unmarshal([]byte(header), &f.KeypointHeader); err != nil {
		return fmt.Errorf("%s: %w", headerKey, err)
	}
	if err := f.checkNames(); err != nil {
		return fmt.Errorf("%s: %w", headerKey, err)
	}
	if f.columns, err = keypointColumns(file.Schema()); err != nil {
		return err
	}
	return f.assignGroups(file.RowGroups())
}

// checkNames checks the names of scenes and images, which become names of folders
// and files wherever the set is written. A forged one must not lead elsewhere.
func (h *KeypointHeader) checkNames() error {
	scenes := make(map[string]bool)
	for _, s := range h.Scenes {
		if !isFileName(s.Name) {
			return fmt.Errorf("scene %q, want the name of a folder", s.Name)
		}
		if scenes[s.Name] {
			return fmt.Errorf("scene %s is listed twice", s.Name)
		}
		scenes[s.Name] = true
		for i, img := range s.Images {
			if !isFileName(img.File) {
				return fmt.Errorf("%s, image %d: %q, want the name of a file", s.Name, i+1, img.File)
			}
		}
	}
	return nil
}

// isFileName reports whether a name stays in the folder that it is joined to and
// can be printed on a line.
func isFileName(name string) bool {
	return name != "." && filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) &&
		utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}

// keypointColumns returns the indices of the columns. It returns an error if one
// is missing or has the wrong type.
func keypointColumns(schema *parquet.Schema) (map[string]int, error) {
	want := parquet.SchemaOf(keypointRow{})
	columns := make(map[string]int)
	for _, path := range want.Columns() {
		name := path[0]
		expected, _ := want.Lookup(name)
		column, ok := schema.Lookup(name)
		if !ok {
			return nil, fmt.Errorf("%w: no column %s", errColumns, name)
		}
		if w, c := expected.Node, column.Node; w.Type().Kind() != c.Type().Kind() || w.Optional() != c.Optional() || c.Repeated() {
			return nil, fmt.Errorf("%w: column %s: want %v, found %v", errColumns, name, w, c)
		}
		columns[name] = column.ColumnIndex
	}
	return columns, nil
}

// assignGroups checks the header's counts against the row groups.
func (f *KeypointFile) assignGroups(groups []parquet.RowGroup) error {
	for _, s := range f.Scenes {
		n := 0
		for i, img := range s.Images {
			if img.Keypoints < 0 || img.Keypoints > math.MaxInt32 {
				return fmt.Errorf("%s, image %d: %d keypoints", s.Name, i+1, img.Keypoints)
			}
			n += img.Keypoints
		}
		if n == 0 {
			f.groups = append(f.groups, nil)
			continue
		}
		if len(groups) == 0 {
			return fmt.Errorf("%s: want %d rows, found none", s.Name, n)
		}
		if groups[0].NumRows() != int64(n) {
			return fmt.Errorf("%s: want %d rows, found %d", s.Name, n, groups[0].NumRows())
		}
		f.groups, groups = append(f.groups, groups[0]), groups[1:]
	}
	if len(groups) > 0 {
		return fmt.Errorf("%d row groups do not belong to any scene", len(groups))
	}
	return nil
}

// Verify reads every scene. Errors about the content wrap ErrDamaged.
func (f *KeypointFile) Verify(ctx context.Context) error {
	for i := range f.Scenes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := f.Read(i); err != nil {
			return err
		}
	}
	return nil
}

// Path returns the path under which the file was opened.
func (f *KeypointFile) Path() string { return f.path }

// Close closes the file.
func (f *KeypointFile) Close() error { return f.file.Close() }

// Read returns the keypoint sets of a scene, one per image. scene is the index in
// Scenes. Errors about the content wrap ErrDamaged.
func (f *KeypointFile) Read(scene int) ([]keypoints.Set, error) {
	sets, err := f.read(scene)
	if err == nil && sumOfSets(sets) != f.Scenes[scene].SHA256 {
		err = errors.New("checksum mismatch in the keypoints")
	}
	if err != nil {
		return nil, damaged(f.path, fmt.Errorf("%s: %w", f.Scenes[scene].Name, err))
	}
	return sets, nil
}

func (f *KeypointFile) read(scene int) (_ []keypoints.Set, err error) {
	defer recoverDamage(&err)
	images := f.Scenes[scene].Images
	sets := make([]keypoints.Set, len(images))
	group := f.groups[scene]
	if group == nil {
		for i, img := range images {
			sets[i] = noKeypoints(img)
		}
		return sets, nil
	}
	points := make([]keypoints.Keypoint, group.NumRows())
	for _, c := range keypoints.Columns() {
		column := floatColumn(func(row int, v float32) { *c.Real(&points[row]) = v })
		if c.Int != nil {
			column = intColumn(func(row int, v int32) { *c.Int(&points[row]) = v })
		}
		if err := f.column(group, c.Name, len(points), column); err != nil {
			return nil, err
		}
	}
	sources, err := f.sources(group)
	if err != nil {
		return nil, err
	}
	first := 0
	for i, img := range images {
		sets[i] = noKeypoints(img)
		last := first + img.Keypoints
		sets[i].Keypoints = points[first:last:last]
		if img.Projected {
			sets[i].Source = sources[first:last:last]
		}
		first = last
	}
	return sets, nil
}

// noKeypoints returns the set of an image without keypoints.
func noKeypoints(img KeypointImage) keypoints.Set {
	s := keypoints.Set{Keypoints: []keypoints.Keypoint{}}
	if img.Projected {
		s.Source = []int32{}
	}
	return s
}

// sources reads the column of sources. Rows without a source have 0.
func (f *KeypointFile) sources(group parquet.RowGroup) ([]int32, error) {
	sources := make([]int32, group.NumRows())
	values := make([]parquet.Value, 1024)
	err := f.column(group, "source", len(sources), func(page parquet.Page, row int) error {
		reader := page.Values()
		for {
			n, err := reader.ReadValues(values)
			for _, v := range values[:n] {
				if !v.IsNull() {
					sources[row] = v.Int32()
				}
				row++
			}
			if err == io.EOF || err == nil && n == 0 {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
	return sources, err
}

// column calls use for every page of a column, with the row at which it begins.
func (f *KeypointFile) column(group parquet.RowGroup, name string, rows int, use func(page parquet.Page, row int) error) error {
	pages := group.ColumnChunks()[f.columns[name]].Pages()
	defer pages.Close()
	for row := 0; ; {
		page, err := pages.ReadPage()
		if err == io.EOF && row == rows {
			return nil
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return fmt.Errorf("column %s: after row %d: %w", name, row, err)
		}
		n := int(page.NumValues())
		if row+n > rows {
			err = fmt.Errorf("more than %d values", rows)
		} else {
			err = use(page, row)
		}
		parquet.Release(page)
		if err != nil {
			return fmt.Errorf("column %s: after row %d: %w", name, row, err)
		}
		row += n
	}
}

// floatColumn returns a function that calls set for each number in a page of a
// column without nulls.
func floatColumn(set func(row int, v float32)) func(parquet.Page, int) error {
	return func(page parquet.Page, row int) error {
		reader, ok := page.Values().(parquet.FloatReader)
		if !ok {
			return fmt.Errorf("want a page of plain numbers, found %v", reflect.TypeOf(page))
		}
		return numbers(int(page.NumValues()), row, reader.ReadFloats, set)
	}
}

// intColumn is like floatColumn for integers.
func intColumn(set func(row int, v int32)) func(parquet.Page, int) error {
	return func(page parquet.Page, row int) error {
		reader, ok := page.Values().(parquet.Int32Reader)
		if !ok {
			return fmt.Errorf("want a page of plain numbers, found %v", reflect.TypeOf(page))
		}
		return numbers(int(page.NumValues()), row, reader.ReadInt32s, set)
	}
}

func numbers[T any](n, row int, read func([]T) (int, error), set func(row int, v T)) error {
	values := make([]T, n)
	got, err := read(values)
	if err != nil && err != io.EOF {
		return err
	}
	if got != n {
		return fmt.Errorf("want %d values in a page, found %d", n, got)
	}
	for i, v := range values {
		set(row+i, v)
	}
	return nil
}
