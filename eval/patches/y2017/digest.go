package y2017

import (
	"bufio"
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
			b := bufio.NewWriter(h)
			put := func(p Patch) { // seven bytes
				line := binary.LittleEndian.AppendUint32(b.AvailableBuffer(), uint32(p.Index))
				_, _ = b.Write(append(binary.LittleEndian.AppendUint16(line, p.Sequence), p.Image)) // a hash does not fail
			}
			switch task {
			case Verification:
				for _, list := range [][]Pair{in.Positive, in.Inter, in.Intra} {
					fmt.Fprintln(b, len(list))
					for _, p := range list {
						put(p.A)
						put(p.B)
					}
				}
			case Retrieval:
				for _, list := range [][]Patch{in.Queries, in.Distractors} {
					fmt.Fprintln(b, len(list))
					for _, p := range list {
						put(p)
					}
				}
			}
			_ = b.Flush()
		})
	}
	return digests
}
