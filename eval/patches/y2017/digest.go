package y2017

import (
	"encoding/binary"
	"fmt"
	"io"

	"descbench/eval/patches"
)

// Digests returns, for each task of the options, the SHA-256 of the split's test
// sequences with their numbers of patches, and of the task's lists. Different digests
// mean that metrics of a task were computed on different patches.
func (in *Input) Digests(opt Options) map[string]string {
	digests := make(map[string]string)
	for _, task := range opt.tasks() {
		digests[string(task)] = patches.SHA256(func(h io.Writer) {
			fmt.Fprintf(h, "%s %q %d\n", task, in.Sequences.Names, in.Sequences.Patches)
			switch task {
			case Verification:
				for _, list := range [][]Pair{in.Positive, in.Inter, in.Intra} {
					fmt.Fprintln(h, len(list))
					writePatches(h, func(yield func(Patch)) {
						for _, p := range list {
							yield(p.A)
							yield(p.B)
						}
					})
				}
			case Retrieval:
				for _, list := range [][]Patch{in.Queries, in.Distractors} {
					fmt.Fprintln(h, len(list))
					writePatches(h, func(yield func(Patch)) {
						for _, p := range list {
							yield(p)
						}
					})
				}
			}
		})
	}
	return digests
}

// writePatches writes the patches yielded by each, seven bytes per patch.
func writePatches(w io.Writer, each func(yield func(Patch))) {
	const most = 1 << 16
	buffer := make([]byte, 0, most+7)
	flush := func() {
		_, _ = w.Write(buffer) // a hash does not fail
		buffer = buffer[:0]
	}
	each(func(p Patch) {
		buffer = binary.LittleEndian.AppendUint32(buffer, uint32(p.Index))
		buffer = binary.LittleEndian.AppendUint16(buffer, p.Sequence)
		if buffer = append(buffer, p.Image); len(buffer) >= most {
			flush()
		}
	})
	flush()
}
