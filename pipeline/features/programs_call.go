package features

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"descbench/descriptors"
	"descbench/descriptors/extract/patchcut"
	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/child"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/files/matchio"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/plan"
)

// A call is one use of a function for an image.
type call struct {
	*programs
	command *config.Command
	fields  map[string]any // names of the scene and of the images
}

// most returns how many bytes a reply may have: for n keypoints or patches, rows of the largest
// dimension in float64; without any, 1 KiB for each pixel, as a program needs that finds a
// keypoint in each and describes it. The rest is room for headers and for small images.
func most(n int, arrays []child.Array) int {
	bytes := 64<<20 + 8*n*descriptors.MaxDim
	for _, a := range arrays {
		if n == 0 && strings.HasPrefix(a.Name, "image") {
			bytes += a.Shape[0] * a.Shape[1] << 10
		}
	}
	return bytes
}

// do calls the program, with n keypoints or patches if it is to describe them, and returns
// the arrays of its reply.
func (c call) do(n int, arrays ...child.Array) (*npz.Archive, child.Function, time.Duration, error) {
	f, err := c.function(c.command)
	if err != nil {
		return nil, f, 0, err
	}
	if c.ctx == nil {
		return nil, f, 0, notStarted(c.command)
	}
	reply, took, err := c.pool(c.command).Call(child.Request{Operation: f.Operation, Function: f.Name, Fields: c.fields, Arrays: arrays, Most: most(n, arrays)})
	if start := (*child.StartError)(nil); errors.As(err, &start) {
		err = plan.Fault(err)
	}
	if err != nil {
		return nil, f, took, err
	}
	archive, err := npz.FromArrays(reply...)
	return archive, f, took, c.wrong(err)
}

// wrong returns an error about a reply.
func (c call) wrong(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, importer.ErrUnstated) {
		err = fmt.Errorf(`%w, in the function's decorator: elements="uint8" for numbers, "bits" for packed bits`, err)
	}
	return fmt.Errorf("%s: its reply: %w", c.command, err)
}

func options(f child.Function) importer.Options {
	o := importer.Options{Origin: importer.Origin(f.Origin), Elements: importer.Elements(f.Elements)}
	if o.Origin == "" {
		o.Origin = importer.Center
	}
	return o
}

// rows returns the rows of n keypoints or patches in the reply to arrays.
func (c call) rows(n int, arrays ...child.Array) (*descriptors.Matrix, time.Duration, error) {
	archive, f, took, err := c.do(n, arrays...)
	if err != nil {
		return nil, took, err
	}
	o := options(f)
	o.Patches = c.command.Operation == config.DescribePatches
	m, notFinite, err := importer.Rows(archive, n, o)
	if err = cmp.Or(err, repeats(archive, arrays)); err != nil {
		return nil, took, c.wrong(err)
	}
	if notFinite > 0 {
		args := []any{"program", c.command.Key, "first", fmt.Sprintf("%d of %s", notFinite, spelling.Count(n, "row"))}
		if c.fields != nil { // not of patches
			args[3] = fmt.Sprintf("%v/%v, %s", c.fields["scene"], c.fields["image"], args[3])
		}
		c.warn(c.command.Key+" not finite", "rows with NaN or Inf are treated as invalid and rank last", args...)
	}
	return m, took, nil
}

// repeats returns an error if a reply has other keypoints than those that were sent, or in
// another order: then its rows or matches are not those of the keypoints sent.
func repeats(reply *npz.Archive, sent []child.Array) error {
	const rounding = 1e-3 // px or degrees, of float32
	for _, array := range sent {
		if !strings.HasPrefix(array.Name, "keypoints") || !reply.Has(array.Name) {
			continue
		}
		was, err := npz.Elements[float32](array.Array, 2)
		is, unread := reply.Array(array.Name)
		if err = cmp.Or(err, unread); err != nil {
			return err
		}
		if len(is.Shape) == 3 && is.Shape[0] == 1 { // of a batch
			is.Shape = is.Shape[1:]
		}
		const want = "; want the keypoints that were sent, in their order, or no array %[1]s"
		if len(is.Shape) != 2 || is.Shape[0] != array.Shape[0] || is.Shape[1] > array.Shape[1] {
			return fmt.Errorf("%s: shape %s, but %s was sent"+want, array.Name, is.ShapeString(), array.ShapeString())
		}
		err = is.Each(func(i int, v float64) error {
			row, column := i/is.Shape[1], i%is.Shape[1]
			if sent := was[row*array.Shape[1]+column]; !(math.Abs(v-float64(sent)) <= rounding) {
				return fmt.Errorf("%s: row %d: %s is %g, but %g was sent"+want, array.Name, row, []string{"x", "y", "size", "angle"}[column], float32(v), sent)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// describe returns the rows of the keypoints of an image, or of the patches around them.
// An image without keypoints is sent with one at its centre, so that the number of
// elements is known.
func (c call) describe(img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, time.Duration, error) {
	if c.command.Operation == config.DescribePatches {
		return c.patches(len(kps), func(use func(int, []float32) error) error {
			return patchcut.Each(img, kps, *c.command.Patches, use)
		})
	}
	sent := kps
	if len(kps) == 0 {
		sent = []keypoints.Keypoint{{X: float32(img.Width()) / 2, Y: float32(img.Height()) / 2, Size: 31, Angle: keypoints.NoAngle}}
	}
	m, took, err := c.rows(len(sent), child.Array{Name: "image", Array: pixels(img)}, keypointsArray("keypoints", sent))
	if err == nil && len(kps) == 0 {
		m = m.Select(nil)
	}
	return m, took, err
}

// patches returns the rows of n patches, which each passes one after the other to use,
// in batches. Those that it leaves out are invalid.
func (c call) patches(n int, each func(use func(i int, patch []float32) error) error) (*descriptors.Matrix, time.Duration, error) {
	f, err := c.function(c.command)
	if err != nil {
		return nil, 0, err
	}
	o := c.command.Patches
	size := o.Batch
	if f.Batch > 0 {
		size = min(size, f.Batch)
	}
	var out *descriptors.Matrix
	var batch []float32
	var rows []int
	var took time.Duration
	described := make([]bool, n)
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		m, t, err := c.rows(len(rows), child.Array{Name: "patches", Array: npz.Of(batch, len(rows), o.Planes(), o.InputSize, o.InputSize)})
		took += t
		switch {
		case errors.As(err, new(*child.FunctionError)):
			return fmt.Errorf("%w; it got patches of %d×%d×%d×%d, of which patches.input_size is the last", err, len(rows), o.Planes(), o.InputSize, o.InputSize)
		case err != nil:
			return err
		case out == nil:
			out = descriptors.New(n, m.Dim, m.Type)
		case m.Dim != out.Dim || m.Type != out.Type:
			return c.wrong(fmt.Errorf("rows of %s, want %s as in an earlier batch", elements(m), elements(out)))
		}
		for i, row := range rows {
			if row < n {
				out.CopyRow(row, m, i)
				described[row] = true
			}
		}
		batch, rows = batch[:0], rows[:0]
		return nil
	}
	err = each(func(i int, patch []float32) error {
		batch, rows = append(batch, patch...), append(rows, i)
		if len(rows) < size {
			return nil
		}
		return flush()
	})
	if err != nil {
		return nil, took, err
	}
	if out == nil && len(rows) == 0 { // one of zeros tells the number of elements
		batch, rows = make([]float32, o.Planes()*o.InputSize*o.InputSize), []int{n}
	}
	if err := flush(); err != nil {
		return nil, took, err
	}
	for i, ok := range described {
		if !ok {
			out.Mark(i)
		}
	}
	return out, took, nil
}

// detect returns the keypoints that a program finds in an image and, if it describes
// them, their rows. The class of a keypoint is its row.
func (c call) detect(image npz.Array) (out described, err error) {
	archive, f, took, err := c.do(0, child.Array{Name: "image", Array: image})
	if out.took = took; err != nil || findsNothing(archive) {
		return out, err
	}
	scale, err := archive.Numbers("size_scale")
	if err == nil && scale != nil && (len(scale) != 1 || !(scale[0] > 0) || math.IsInf(scale[0], 0)) {
		err = fmt.Errorf("size_scale is %v, want a positive number", scale)
	}
	if err != nil {
		return out, c.wrong(err)
	}
	o := options(f)
	if change, resized := c.fields["resized"].([]float64); resized && c.command.Imported() != "" {
		o.Placed, o.Resized = true, change
	}
	found, err := importer.FromArchive(archive, image.Shape[1], image.Shape[0], o)
	if err != nil {
		return out, c.wrong(err)
	}
	for row := range found.Keypoints.Keypoints {
		k := &found.Keypoints.Keypoints[row]
		if k.ClassID = int32(row); k.Size == 0 && c.command.DefaultSize != nil {
			k.Size = float32(*c.command.DefaultSize * append(scale, 1)[0])
		}
	}
	if out.ignored = strings.Join(found.Ignored, ", "); out.ignored != "" {
		c.warn(c.command.Key+" not read", "arrays not read, want keypoints, descriptors, scores, size, angle, octave or class_id", "program", c.command.Key, "arrays", out.ignored)
	}
	out.set, out.rows = found.Keypoints, found.Descriptors
	return out, nil
}

// findsNothing reports whether a program returned no keypoints without saying how many
// columns they or their rows would have, as Python's [].
func findsNothing(archive *npz.Archive) bool {
	empty := func(name string) bool {
		a, err := archive.Array(name)
		return err == nil && len(a.Shape) == 1 && a.Shape[0] == 0
	}
	points, err := archive.Array("keypoints")
	return empty("keypoints") || err == nil && len(points.Shape) > 0 && points.Shape[0] == 0 && empty("descriptors")
}

// A matched image is one of the two that a program matches. Without keypoints or rows,
// set and rows are nil.
type matchedImage struct {
	file  dataset.ImageFile
	image npz.Array
	set   *keypoints.Set
	rows  *descriptors.Matrix
}

// match returns the matches of two images, in their pixels.
func (c call) match(views [2]matchedImage) (*matchio.Matches, time.Duration, error) {
	var arrays []child.Array
	for i, v := range views {
		arrays = append(arrays, child.Array{Name: fmt.Sprint("image", i), Array: v.image})
		if v.set != nil {
			arrays = append(arrays, keypointsArray(fmt.Sprint("keypoints", i), v.set.Keypoints))
		}
		if v.rows != nil {
			arrays = append(arrays, rowsArray(fmt.Sprint("descriptors", i), v.rows))
		}
	}
	archive, f, took, err := c.do(0, arrays...)
	if err != nil {
		return nil, took, err
	}
	m, err := matchio.FromArchive(archive)
	if err == nil && m.Rows && c.command.Imported() == "" {
		err = repeats(archive, arrays)
	}
	if err == nil {
		err = place(m, options(f).Origin, c.command, views[0].file, views[1].file)
	}
	return m, took, c.wrong(err)
}

func pixels(img detect.Image) npz.Array { return npz.Of(img.RGB(), img.Height(), img.Width(), 3) }

// blank returns black pixels, for programs that read their results from a file.
func blank(img dataset.ImageFile) npz.Array {
	return npz.Of(make([]uint8, 3*img.Width*img.Height), img.Height, img.Width, 3)
}

// fieldsOf names one or two images of a scene, counted from 0, in a request.
func fieldsOf(scene *dataset.Scene, images ...int) map[string]any {
	fields := map[string]any{"scene": scene.InFiles}
	for j, i := range images {
		number := ""
		if len(images) > 1 {
			number = fmt.Sprint(j)
		}
		fields["image"+number] = scene.Images[i].File
		if change := scene.Images[i].Resized(); change != nil {
			fields["resized"+number] = change
		}
	}
	return fields
}

// keypointsArray returns the array of x, y, size and angle.
func keypointsArray(name string, kps []keypoints.Keypoint) child.Array {
	v := make([]float32, 0, 4*len(kps))
	for _, k := range kps {
		v = append(v, k.X, k.Y, k.Size, k.Angle)
	}
	return child.Array{Name: name, Array: npz.Of(v, len(kps), 4)}
}

// rowsArray returns the array of rows as they are compared: float32, or packed bits.
func rowsArray(name string, m *descriptors.Matrix) child.Array {
	switch m = m.WrittenOut(); m.Type {
	case descriptors.Bits:
		return child.Array{Name: name, Array: npz.Of(m.Uint8, m.Rows, m.Stride())}
	case descriptors.Float32:
		return child.Array{Name: name, Array: npz.Of(m.Float32, m.Rows, m.Dim)}
	}
	rows := make([]float32, len(m.Uint8))
	for i, v := range m.Uint8 {
		rows[i] = float32(v)
	}
	return child.Array{Name: name, Array: npz.Of(rows, m.Rows, m.Dim)}
}
